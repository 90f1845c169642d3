def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0].date()
    minutes, sessions = {}, 0
    for name, start, duration in activities_df[["activity_name", "start_time", "duration_minutes"]].itertuples(index=False):
        if duration == duration and start == start and 0 <= (end - start.date()).days <= 27:
            key = name if isinstance(name, str) else "other"
            minutes[key] = minutes.get(key, 0) + float(duration)
            sessions += 1
    ordered = sorted(minutes, key=lambda name: (-minutes[name], name))
    return {"outcome": "ok" if sessions else "insufficient", "sessions": sessions, "minutes": minutes,
            "most": ordered[0] if ordered else None}
