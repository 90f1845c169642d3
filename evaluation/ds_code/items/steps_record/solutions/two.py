import statistics

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    rows = zip(summary_df["steps"], summary_df.index.date, summary_df["is_partial"])
    days = [(-steps, day) for steps, day, partial in rows if not partial and steps == steps]
    answer = dict.fromkeys(["record", "record_date", "usual", "ratio", "days_since"])
    if len(days) >= 7:
        best, when = min(days)
        usual = -statistics.median(steps for steps, _ in days)
        answer = {"record": -best, "record_date": str(when), "usual": usual, "ratio": -best / usual if usual else None,
                  "days_since": profile_df["data_through"].iloc[0].toordinal() - when.toordinal()}
    return {"outcome": "ok" if len(days) >= 7 else "insufficient", "days": len(days), **answer}
