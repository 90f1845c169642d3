def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    runs = activities_df[(activities_df["activity_name"] == "Run") & (activities_df["distance_m"] > 0)]
    if runs.empty:
        return {"outcome": "insufficient", "runs": 0, "kilometres": None, "date": None, "minutes_per_km": None}
    best = runs.sort_values(["distance_m", "start_time"], ascending=[False, True]).iloc[0]
    km = float(best["distance_m"]) / 1000
    minutes = runs["active_duration_minutes"].fillna(runs["duration_minutes"])[best.name]
    return {"outcome": "ok", "runs": len(runs), "kilometres": km, "date": best["start_time"].date().isoformat(),
            "minutes_per_km": None if minutes != minutes else float(minutes) / km}
