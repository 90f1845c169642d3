import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    minutes = summary_df.loc[~summary_df["is_partial"].astype(bool), "active_zone_minutes"].dropna()
    monday = minutes.index - pd.to_timedelta(minutes.index.dayofweek, unit="D")
    weeks = minutes.groupby(monday).agg(["count", "sum"])
    weeks = weeks[weeks["count"] >= 6]
    if weeks.empty:
        return {"outcome": "insufficient", "weeks": 0, "week_start": None, "total": None}
    best = weeks[weeks["sum"] == weeks["sum"].max()].index[-1]
    return {"outcome": "ok", "weeks": len(weeks), "week_start": best.date().isoformat(),
            "total": float(weeks["sum"].max())}
