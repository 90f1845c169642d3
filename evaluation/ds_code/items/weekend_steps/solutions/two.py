import numpy as np

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    steps = summary_df["steps"].to_numpy(float)
    counts = summary_df["valid_day"].to_numpy(bool, na_value=False) & ~summary_df["is_partial"].to_numpy(bool)
    counts &= np.isfinite(steps)
    late = np.array([day.weekday() in (5, 6) for day in summary_df.index], dtype=bool)
    sides = {"weekend": steps[counts & late], "weekday": steps[counts & ~late]}
    enough = sides["weekend"].size >= 4 and sides["weekday"].size >= 10
    result = {"outcome": "ok" if enough else "insufficient"}
    for name, values in sides.items():
        result[f"{name}_days"] = int(values.size)
        result[f"{name}_mean"] = float(np.sum(values) / values.size) if enough else None
    base = result["weekday_mean"]
    result["percent"] = (result["weekend_mean"] / base - 1) * 100 if base else None
    return result
