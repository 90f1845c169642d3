from itertools import combinations
from statistics import median

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    points = []
    for day, row in summary_df.sort_index(ascending=False).iterrows():
        age = (end - day).days
        if age > 59:
            break
        if row["valid_day"] == True and row["resting_heart_rate"] == row["resting_heart_rate"]:
            points.append((-age, row["resting_heart_rate"]))
        if row["break_before"]:
            break
    if len(points) < 20:
        return {"outcome": "insufficient", "days": len(points), "bpm_per_week": None, "median": None}
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2)]
    return {"outcome": "ok", "days": len(points), "bpm_per_week": 7 * median(slopes),
            "median": median(value for _, value in points)}
