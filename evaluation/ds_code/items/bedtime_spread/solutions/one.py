import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    rows = summary_df[(summary_df.index > end - pd.Timedelta(days=30)) & ~summary_df["tz_change"].astype(bool)]
    minutes = rows["bed_minute"].dropna()
    if len(minutes) < 15:
        return {"outcome": "insufficient", "nights": len(minutes), "mean_bedtime": None, "sd_minutes": None,
                "regular": None}
    clock = round(float(minutes.mean())) % 1440
    sd = float(minutes.std(ddof=1))
    return {"outcome": "ok", "nights": len(minutes), "mean_bedtime": f"{clock // 60:02}:{clock % 60:02}",
            "sd_minutes": sd, "regular": sd <= 60}
