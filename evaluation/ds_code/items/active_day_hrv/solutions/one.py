import pandas as pd
from scipy import stats

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    minutes = summary_df["active_zone_minutes"].copy()
    minutes.index = minutes.index + pd.Timedelta(days=1)
    nights = pd.concat([summary_df["heart_rate_variability"], minutes], axis=1, keys=["hrv", "azm"]).dropna()
    active, quiet = nights.loc[nights["azm"] >= 30, "hrv"], nights.loc[nights["azm"] < 30, "hrv"]
    result = {"active_nights": len(active), "quiet_nights": len(quiet), "difference": None, "t": None, "p": None,
              "significant": None}
    if min(len(active), len(quiet)) < 5:
        return {"outcome": "insufficient"} | result
    result["difference"] = float(active.mean() - quiet.mean())
    if active.nunique() == 1 and quiet.nunique() == 1:
        return {"outcome": "constant"} | result
    test = stats.ttest_ind(active, quiet, equal_var=False)
    return {"outcome": "ok"} | result | {"t": float(test.statistic), "p": float(test.pvalue),
                                         "significant": bool(test.pvalue < 0.05)}
