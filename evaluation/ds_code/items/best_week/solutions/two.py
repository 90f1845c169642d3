from collections import defaultdict
from datetime import timedelta

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    weeks = defaultdict(list)
    for day, row in summary_df.iterrows():
        if row["active_zone_minutes"] == row["active_zone_minutes"] and not row["is_partial"]:
            weeks[day.date() - timedelta(days=day.isoweekday() - 1)].append(row["active_zone_minutes"])
    full = [(sum(values), monday) for monday, values in weeks.items() if len(values) > 5]
    total, monday = max(full, default=(None, None))
    return {"outcome": "ok" if full else "insufficient", "weeks": len(full),
            "week_start": monday.isoformat() if full else None, "total": float(total) if full else None}
