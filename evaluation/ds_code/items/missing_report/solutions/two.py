def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    names = sorted(["steps", "sleep_minutes", "resting_heart_rate", "heart_rate_variability", "stress_management_score"])
    end = profile_df["data_through"].iloc[0]
    rows = [[value == value for value in row] for day, row in zip(summary_df.index, summary_df[names].to_numpy(float))
            if 0 <= (end - day).days < 60]
    if not rows:
        return {"outcome": "insufficient", "missing": None, "mostly_missing": [], "complete_days": None}
    there = [sum(row[place] for row in rows) for place in range(5)]
    missing = {name: (60 - count) / 60 for name, count in zip(names, there)}
    return {"outcome": "ok", "missing": missing, "mostly_missing": [name for name in names if missing[name] > 0.5],
            "complete_days": sum(map(all, rows))}
