from datetime import timedelta

import numpy as np

def ranks(values):
    return np.array([sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values])

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    sleep = dict(zip(summary_df.index, summary_df["sleep_minutes"]))
    pairs = []
    for day, steps, partial in zip(summary_df.index, summary_df["steps"], summary_df["is_partial"]):
        night = sleep.get(day + timedelta(days=1), float("nan"))
        if steps == steps and night == night and not partial:
            pairs.append((float(steps), float(night)))
    if len(pairs) < 10:
        return {"outcome": "insufficient", "pairs": len(pairs), "rho": None}
    x, y = (ranks(list(side)) for side in zip(*pairs))
    x, y = x - x.mean(), y - y.mean()
    if not x.any() or not y.any():
        return {"outcome": "constant", "pairs": len(pairs), "rho": None}
    return {"outcome": "ok", "pairs": len(pairs), "rho": float(x @ y / np.sqrt((x @ x) * (y @ y)))}
