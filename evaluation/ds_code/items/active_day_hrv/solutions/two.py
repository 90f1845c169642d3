from datetime import timedelta
from statistics import mean, variance

from scipy.stats import t as student

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    minutes = {day: value for day, value in summary_df["active_zone_minutes"].items() if value == value}
    groups = {True: [], False: []}
    for day, value in summary_df["heart_rate_variability"].items():
        before = minutes.get(day - timedelta(days=1))
        if value == value and before is not None:
            groups[bool(before >= 30)].append(float(value))
    a, b = groups[True], groups[False]
    answer = {"active_nights": len(a), "quiet_nights": len(b)} | dict.fromkeys(["difference", "t", "p", "significant"])
    if len(a) < 5 or len(b) < 5:
        return answer | {"outcome": "insufficient"}
    answer["difference"] = mean(a) - mean(b)
    va, vb = variance(a) / len(a), variance(b) / len(b)
    if va + vb == 0:
        return answer | {"outcome": "constant"}
    t = answer["difference"] / (va + vb) ** 0.5
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    p = float(2 * student.sf(abs(t), freedom))
    return answer | {"outcome": "ok", "t": t, "p": p, "significant": p < 0.05}
