from datetime import timedelta

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    table = zip(summary_df.index.date, summary_df["steps"], summary_df["is_partial"])
    steps = {day: value for day, value, partial in table if value == value and not partial}
    periods = {}
    for end in summary_df.index.date:
        values = [steps[end - timedelta(days=n)] for n in range(7) if end - timedelta(days=n) in steps]
        if len(values) >= 5:
            periods[end] = sum(values) / len(values)
    best = max(periods, key=lambda end: (periods[end], end), default=None)
    return {"outcome": "ok" if periods else "insufficient", "periods": len(periods), "best_mean": periods.get(best),
            "best_end": best.isoformat() if best else None,
            "latest_mean": periods.get(profile_df["data_through"].iloc[0].date())}
