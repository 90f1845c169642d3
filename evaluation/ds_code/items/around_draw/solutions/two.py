from statistics import median

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0].date()
    dates = sorted(day.date() for day in labs_df["collected_date"] if day == day and day.date() <= end)
    answer = dict.fromkeys(["draw", "median_before", "median_after", "u", "superiority"])
    answer.update(days_before=0, days_after=0)
    if not dates:
        return {"outcome": "no_draw", **answer}
    sides = {-1: [], 1: []}
    for day, steps, valid in zip(summary_df.index.date, summary_df["steps"], summary_df["valid_day"].fillna(False)):
        distance = (day - dates[-1]).days
        if 1 <= abs(distance) <= 14 and valid and steps == steps:
            sides[1 if distance > 0 else -1].append(steps)
    answer.update(draw=str(dates[-1]), days_before=len(sides[-1]), days_after=len(sides[1]))
    if len(sides[-1]) < 7 or len(sides[1]) < 7:
        return {"outcome": "insufficient", **answer}
    u = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a in sides[1] for b in sides[-1])
    answer.update(median_before=median(sides[-1]), median_after=median(sides[1]), u=u,
                  superiority=u / len(sides[1]) / len(sides[-1]))
    return {"outcome": "ok", **answer}
