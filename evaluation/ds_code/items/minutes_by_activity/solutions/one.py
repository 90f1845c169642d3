import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    days = activities_df["start_time"].dt.normalize()
    rows = activities_df[(days > end - pd.Timedelta(days=28)) & (days <= end)].dropna(subset=["duration_minutes"])
    if rows.empty:
        return {"outcome": "insufficient", "sessions": 0, "minutes": {}, "most": None}
    totals = rows["duration_minutes"].groupby(rows["activity_name"].fillna("other")).sum().sort_index()
    return {"outcome": "ok", "sessions": len(rows), "minutes": totals.to_dict(), "most": totals.idxmax()}
