import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    nights = summary_df.loc[summary_df.index > end - pd.Timedelta(days=7), "sleep_minutes"].dropna()
    if len(nights) < 5:
        return {"outcome": "insufficient", "nights": len(nights), "debt_minutes": None, "short_nights": None}
    debt = (480 - nights).clip(lower=0).sum()
    return {"outcome": "ok", "nights": len(nights), "debt_minutes": float(debt), "short_nights": int((nights < 420).sum())}
