import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    names = ["steps", "sleep_minutes", "resting_heart_rate", "heart_rate_variability", "stress_management_score"]
    dates = pd.date_range(end=profile_df["data_through"].iloc[0], periods=60)
    if not summary_df.index.isin(dates).any():
        return {"outcome": "insufficient", "missing": None, "mostly_missing": [], "complete_days": None}
    gone = summary_df[names].reindex(dates).isna()
    share = gone.mean()
    return {"outcome": "ok", "missing": share.to_dict(), "mostly_missing": sorted(share[share > 0.5].index),
            "complete_days": int((~gone.any(axis=1)).sum())}
