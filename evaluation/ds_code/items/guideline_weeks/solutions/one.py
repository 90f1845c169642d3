import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    sunday = end - pd.Timedelta(days=(end.dayofweek + 1) % 7)
    days = pd.date_range(sunday - pd.Timedelta(days=55), sunday)
    grid = summary_df["active_zone_minutes"].reindex(days).to_numpy(float).reshape(8, 7)
    weeks = pd.DataFrame(grid)
    total = weeks.sum(axis=1)
    known = weeks.notna().all(axis=1) | (total >= 150)
    if known.sum() < 4:
        return {"outcome": "insufficient", "known_weeks": int(known.sum()), "met_weeks": None, "share": None}
    met = int((known & (total >= 150)).sum())
    return {"outcome": "ok", "known_weeks": int(known.sum()), "met_weeks": met, "share": met / int(known.sum())}
