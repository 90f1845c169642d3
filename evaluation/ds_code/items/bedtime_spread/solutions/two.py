from datetime import datetime, timedelta
from statistics import mean, stdev

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    columns = (summary_df[name] for name in ("bed_minute", "tz_change"))
    nights = [float(minute) for day, minute, moved in zip(summary_df.index, *columns)
              if (end - day).days < 30 and not moved and minute == minute]
    result = {"outcome": "insufficient", "nights": len(nights), "mean_bedtime": None, "sd_minutes": None, "regular": None}
    if len(nights) >= 15:
        clock = datetime(2000, 1, 2) + timedelta(minutes=round(mean(nights)))
        spread = stdev(nights)
        result.update(outcome="ok", mean_bedtime=clock.strftime("%H:%M"), sd_minutes=spread, regular=bool(spread <= 60))
    return result
