import pandas as pd
from scipy import stats

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    values = summary_df.loc[summary_df.index > end - pd.Timedelta(days=180), "vo2max"].dropna()
    x = (values.index - values.index.min()).days.to_numpy()
    if len(values) < 8 or x[-1] < 56:
        return {"outcome": "insufficient", "values": len(values), "slope_per_30_days": None, "r_squared": None,
                "fitted_end": None}
    line = stats.linregress(x, values.to_numpy(float))
    return {"outcome": "ok", "values": len(values), "slope_per_30_days": float(line.slope) * 30,
            "r_squared": float(line.rvalue) ** 2 if values.nunique() > 1 else 0.0,
            "fitted_end": float(line.intercept + line.slope * x[-1])}
