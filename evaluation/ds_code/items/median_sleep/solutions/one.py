import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    nights = summary_df[~summary_df["is_partial"].astype(bool)]["sleep_minutes"].dropna()
    middle = end - pd.Timedelta(days=14)
    recent = nights[(nights.index > middle) & (nights.index <= end)]
    earlier = nights[(nights.index > middle - pd.Timedelta(days=14)) & (nights.index <= middle)]
    result = {"outcome": "insufficient", "recent_nights": len(recent), "earlier_nights": len(earlier),
              "recent_median": None, "earlier_median": None, "difference": None}
    if min(len(recent), len(earlier)) < 10:
        return result
    now, then = float(recent.median()), float(earlier.median())
    return result | {"outcome": "ok", "recent_median": now, "earlier_median": then, "difference": now - then}
