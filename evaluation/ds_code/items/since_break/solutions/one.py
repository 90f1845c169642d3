def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    breaks = summary_df.index[summary_df["break_before"].astype(bool)]
    result = {"break_date": None, "days_before": None, "days_since": None, "mean_before": None, "mean_since": None,
              "shift": None}
    if breaks.empty:
        return {"outcome": "no_break"} | result
    part = summary_df["break_before"].astype(int).cumsum()
    rates = summary_df["resting_heart_rate"]
    since, before = rates[part == len(breaks)].dropna(), rates[part == len(breaks) - 1].dropna()
    result |= {"break_date": breaks[-1].date().isoformat(), "days_before": len(before), "days_since": len(since)}
    if min(len(before), len(since)) < 10:
        return {"outcome": "insufficient"} | result
    low, high = float(before.mean()), float(since.mean())
    return {"outcome": "ok"} | result | {"mean_before": low, "mean_since": high, "shift": high - low}
