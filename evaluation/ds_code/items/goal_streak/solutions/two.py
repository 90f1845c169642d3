from datetime import timedelta

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    goal, seen = set(), False
    for day, row in zip(summary_df.index.date, summary_df[["steps", "is_partial"]].to_dict("records")):
        seen = seen or row["steps"] == row["steps"]
        if row["steps"] >= 10000 and not row["is_partial"]:
            goal.add(day)
    if not seen:
        return {"outcome": "insufficient", "longest": None, "longest_end": None, "current": None}

    def length(day):
        count = 0
        while day - timedelta(count) in goal:
            count += 1
        return count

    best = max(((length(day), day) for day in goal), default=(0, None))
    return {"outcome": "ok", "longest": best[0], "longest_end": best[1].isoformat() if best[1] else None,
            "current": length(profile_df["data_through"].iloc[0].date())}
