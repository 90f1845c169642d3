import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    values = summary_df["heart_rate_variability"].dropna()
    base = values[(values.index >= end - pd.Timedelta(days=28)) & (values.index < end)]
    result = {"baseline_nights": len(base), "z": None, "unusual": None}
    if end not in values.index:
        return {"outcome": "missing"} | result
    if len(base) < 14:
        return {"outcome": "insufficient"} | result
    if base.nunique() == 1:
        return {"outcome": "constant"} | result
    z = float((values[end] - base.mean()) / base.std(ddof=1))
    return {"outcome": "ok"} | result | {"z": z, "unusual": abs(z) > 2}
