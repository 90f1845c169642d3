import pandas as pd
from scipy import stats

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    days = summary_df[(summary_df.index > end - pd.Timedelta(days=60)) & (summary_df.index <= end)]
    breaks = days.index[days["break_before"].astype(bool)]
    if len(breaks):
        days = days[days.index >= breaks[-1]]
    values = days.loc[days["valid_day"].fillna(False), "resting_heart_rate"].dropna()
    if len(values) < 20:
        return {"outcome": "insufficient", "days": len(values), "bpm_per_week": None, "median": None}
    x = (values.index - values.index[0]).days
    slope = stats.theilslopes(values.to_numpy(float), x).slope
    return {"outcome": "ok", "days": len(values), "bpm_per_week": float(slope) * 7, "median": float(values.median())}
