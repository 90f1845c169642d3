import math
from datetime import timedelta

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    known = {day: float(value) for day, value in summary_df["heart_rate_variability"].items() if not math.isnan(value)}
    base = [known[end - timedelta(days=n)] for n in range(1, 29) if end - timedelta(days=n) in known]
    outcome, z = "ok", None
    if end not in known:
        outcome = "missing"
    elif len(base) < 14:
        outcome = "insufficient"
    elif min(base) == max(base):
        outcome = "constant"
    else:
        mean = math.fsum(base) / len(base)
        z = (known[end] - mean) / math.sqrt(math.fsum((value - mean) ** 2 for value in base) / (len(base) - 1))
    return {"outcome": outcome, "baseline_nights": len(base), "z": z, "unusual": None if z is None else not -2 <= z <= 2}
