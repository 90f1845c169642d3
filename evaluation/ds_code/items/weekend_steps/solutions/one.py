def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    days = summary_df[summary_df["valid_day"].fillna(False) & ~summary_df["is_partial"]]
    steps = days["steps"].dropna()
    weekend = steps[steps.index.dayofweek >= 5]
    weekday = steps[steps.index.dayofweek < 5]
    result = {"weekend_days": len(weekend), "weekday_days": len(weekday),
              "weekend_mean": None, "weekday_mean": None, "percent": None}
    if len(weekend) < 4 or len(weekday) < 10:
        return {"outcome": "insufficient"} | result
    high, low = float(weekend.mean()), float(weekday.mean())
    percent = 100 * (high - low) / low if low else None
    return {"outcome": "ok"} | result | {"weekend_mean": high, "weekday_mean": low, "percent": percent}
