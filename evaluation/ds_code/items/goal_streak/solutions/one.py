import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    if summary_df["steps"].isna().all():
        return {"outcome": "insufficient", "longest": None, "longest_end": None, "current": None}
    end = profile_df["data_through"].iloc[0]
    calendar = pd.date_range(summary_df.index.min(), end)
    good = (summary_df["steps"] >= 10000) & ~summary_df["is_partial"].astype(bool)
    good = good.reindex(calendar, fill_value=False).astype(bool)
    run = good.groupby((~good).cumsum()).cumsum()
    longest = int(run.max())
    last = run[run == longest].index[-1] if longest else None
    return {"outcome": "ok", "longest": longest, "longest_end": last.date().isoformat() if longest else None,
            "current": int(run.iloc[-1])}
