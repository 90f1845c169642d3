# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import pandas as pd
from scipy import stats

WINDOW, NEEDED, NEEDED_WEEKEND, OLD, ALPHA = 90, 68, 19, 14, 0.05
METRICS = {"steps": ("Steps", "steps", "valid_day"), "sleep_minutes": ("Sleep", "minutes", None)}


def number(name, label, value, unit, decimals=0, direction=None, comparator=None, days=None,
           window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": decimals,
            "window": window, "direction": direction, "comparator": comparator, "days": days}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def compare(weekday, weekend):
    varies = weekday.nunique() > 1 and weekend.nunique() > 1
    if varies and min(stats.shapiro(weekday)[1], stats.shapiro(weekend)[1]) > 0.05:
        return "mean", "Welch", weekday.mean(), weekend.mean(), stats.ttest_ind(weekday, weekend, equal_var=False)[1]
    p = stats.mannwhitneyu(weekday, weekend, alternative="two-sided", method="asymptotic")[1]
    return "median", "Mann-Whitney", weekday.median(), weekend.median(), p


def describe(metric, weekday, weekend):
    label, unit, _ = METRICS[metric]
    centre, test, on_weekdays, on_weekends, p = compare(weekday, weekend)
    differs = p < ALPHA / len(METRICS) and on_weekends != on_weekdays
    direction = None if not differs else "above" if on_weekends > on_weekdays else "below"
    numbers = [
        number(f"{metric}_weekend", f"{label}, weekend {centre}", on_weekends, unit, 0, direction, None, len(weekend)),
        number(f"{metric}_weekday", f"{label}, weekday {centre}", on_weekdays, unit, 0, None, None, len(weekday)),
        number(f"{metric}_p", f"{label}, p value of the {test} test", max(p, 0.001), None, 3, None,
               "<" if p < 0.001 else None, len(weekday) + len(weekend)),
    ]
    how = f"{direction} weekdays" if differs else "no clear difference from weekdays"
    return numbers, (f"{label} on weekends over the last {WINDOW} days: {how} ({centre} {{{metric}_weekend}} against "
                     f"{{{metric}_weekday}}, {test} test, p {'' if p < 0.001 else '= '}{{{metric}_p}}).")


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data to answer this from.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The data are too old to say anything of the most recent days.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    whole, breaks = window[~window["is_partial"]], window.index[window["break_before"]]
    recent = whole[whole.index >= breaks.max()] if len(breaks) else whole
    numbers, sentences, most, uncut = [], [], 0, 0
    for metric, (_, _, gate) in METRICS.items():
        values, with_break = ((rows[rows[gate]] if gate else rows)[metric].dropna() for rows in (recent, whole))
        weekend = values.index.weekday >= 5
        most, uncut = max(most, len(values)), max(uncut, len(with_break))
        if len(values) >= NEEDED and weekend.sum() >= NEEDED_WEEKEND:
            own, sentence = describe(metric, values[~weekend], values[weekend])
            numbers, sentences = numbers + own, [*sentences, sentence]
    if not sentences:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        return insufficient(
            "break_in_window" if most < NEEDED <= uncut else "too_few_days",
            f"There is no answer: of the last {WINDOW} days, {{days}}{since} have data; {{needed}}, {{needed_weekend}} "
            "of them on weekends, would be needed.",
            [number("days", "Days with data", most, "days"),
             number("needed", "Days needed", NEEDED, "days", window=None),
             number("needed_weekend", "Weekend days needed", NEEDED_WEEKEND, "days", window=None)])
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement": " ".join(sentences)}
