import pandas as pd
from scipy import stats

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    steps = summary_df["steps"].where(~summary_df["is_partial"].astype(bool))
    nights = summary_df["sleep_minutes"].copy()
    nights.index = nights.index - pd.Timedelta(days=1)
    pairs = pd.concat([steps, nights], axis=1, keys=["steps", "sleep"]).dropna()
    if len(pairs) < 10:
        return {"outcome": "insufficient", "pairs": len(pairs), "rho": None}
    if pairs["steps"].nunique() < 2 or pairs["sleep"].nunique() < 2:
        return {"outcome": "constant", "pairs": len(pairs), "rho": None}
    rho = stats.spearmanr(pairs["steps"], pairs["sleep"]).statistic
    return {"outcome": "ok", "pairs": len(pairs), "rho": float(rho)}
