def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    runs = activities_df[(activities_df["activity_name"] == "Run") & (activities_df["distance_m"] >= 1000)]
    runs = runs.dropna(subset=["duration_minutes"]).sort_values("start_utc")
    pace = runs["duration_minutes"] / (runs["distance_m"] / 1000)
    if len(pace) < 6:
        return {"outcome": "insufficient", "runs": len(pace), "first_pace": None, "second_pace": None,
                "faster_percent": None}
    half = len(pace) // 2
    first, second = float(pace.iloc[:half].median()), float(pace.iloc[-half:].median())
    return {"outcome": "ok", "runs": len(pace), "first_pace": first, "second_pace": second,
            "faster_percent": 100 * (first - second) / first}
