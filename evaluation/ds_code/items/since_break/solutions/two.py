from statistics import fmean

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    parts, dates = [[]], []
    for day, broken, rate in zip(summary_df.index.date, summary_df["break_before"], summary_df["resting_heart_rate"]):
        if broken:
            parts.append([])
            dates.append(day)
        if rate == rate:
            parts[-1].append(float(rate))
    answer = dict.fromkeys(["break_date", "days_before", "days_since", "mean_before", "mean_since", "shift"])
    if not dates:
        return {**answer, "outcome": "no_break"}
    answer.update(break_date=str(dates[-1]), days_before=len(parts[-2]), days_since=len(parts[-1]))
    if min(map(len, parts[-2:])) < 10:
        return {**answer, "outcome": "insufficient"}
    before, since = map(fmean, parts[-2:])
    return {**answer, "outcome": "ok", "mean_before": before, "mean_since": since, "shift": since - before}
