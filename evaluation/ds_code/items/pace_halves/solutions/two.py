from statistics import median

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    names = ["start_utc", "activity_name", "distance_m", "duration_minutes"]
    paces = [minutes * 1000 / metres for start, name, metres, minutes in sorted(
        activities_df[names].itertuples(index=False, name=None), key=lambda row: row[0])
        if name == "Run" and metres >= 1000 and minutes == minutes]
    answer = {"outcome": "insufficient", "runs": len(paces), "first_pace": None, "second_pace": None, "faster_percent": None}
    if len(paces) >= 6:
        first, second = (median(paces[:len(paces) // 2]), median(paces[::-1][:len(paces) // 2]))
        answer |= {"outcome": "ok", "first_pace": first, "second_pace": second, "faster_percent": 100 - 100 * second / first}
    return answer
