def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    runs = [row for row in activities_df.to_dict("records") if row["activity_name"] == "Run" and row["distance_m"] > 0]
    if not runs:
        return {"outcome": "insufficient", "runs": 0, "kilometres": None, "date": None, "minutes_per_km": None}
    best = min(runs, key=lambda row: (-row["distance_m"], row["start_time"]))
    known = [best[name] for name in ("active_duration_minutes", "duration_minutes") if best[name] == best[name] and best[name] is not None]
    return {"outcome": "ok", "runs": len(runs), "kilometres": best["distance_m"] / 1000,
            "date": str(best["start_time"])[:10],
            "minutes_per_km": known[0] * 1000 / best["distance_m"] if known else None}
