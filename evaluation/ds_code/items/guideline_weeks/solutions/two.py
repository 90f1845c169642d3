from datetime import timedelta

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    day = profile_df["data_through"].iloc[0].date()
    while day.weekday() != 6:
        day -= timedelta(days=1)
    minutes = {stamp.date(): value for stamp, value in summary_df["active_zone_minutes"].items() if value == value}
    known = met = 0
    for week in range(8):
        values = [minutes[when] for n in range(7) if (when := day - timedelta(days=7 * week + n)) in minutes]
        reached = sum(values) >= 150
        known += reached or len(values) == 7
        met += reached
    if known < 4:
        return {"outcome": "insufficient", "known_weeks": known, "met_weeks": None, "share": None}
    return {"outcome": "ok", "known_weeks": known, "met_weeks": met, "share": met / known}
