import pandas as pd
from scipy import stats

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    result = {"draw": None, "days_before": 0, "days_after": 0, "median_before": None, "median_after": None,
              "u": None, "superiority": None}
    dates = labs_df["collected_date"].dropna()
    dates = dates[dates <= profile_df["data_through"].iloc[0]]
    if dates.empty:
        return {"outcome": "no_draw"} | result
    draw = dates.max()
    steps = summary_df.loc[summary_df["valid_day"].fillna(False), "steps"].dropna()
    before = steps[(steps.index < draw) & (steps.index >= draw - pd.Timedelta(days=14))]
    after = steps[(steps.index > draw) & (steps.index <= draw + pd.Timedelta(days=14))]
    result |= {"draw": draw.date().isoformat(), "days_before": len(before), "days_after": len(after)}
    if min(len(before), len(after)) < 7:
        return {"outcome": "insufficient"} | result
    u = float(stats.mannwhitneyu(after, before).statistic)
    return {"outcome": "ok"} | result | {"median_before": float(before.median()), "median_after": float(after.median()),
                                         "u": u, "superiority": u / (len(before) * len(after))}
