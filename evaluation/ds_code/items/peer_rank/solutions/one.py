import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    person = profile_df.iloc[0]
    recent = summary_df[summary_df.index > person["data_through"] - pd.Timedelta(days=30)]
    values = recent["resting_heart_rate"].dropna()
    result = {"own_median": None, "stratum": None, "at_least": None, "below": None}
    if len(values) < 10:
        return {"outcome": "insufficient"} | result
    own = result["own_median"] = float(values.median())
    peers = population_df[(population_df["metric"] == "resting_heart_rate") & (population_df["n"] >= 11)
                          & (population_df["definition"] == "person") & (population_df["window"] == "last_30_days")]
    peers = peers.dropna(subset=["value"]).assign(rank=lambda rows: rows["percentile"].astype(int))
    strata = {"cell": (person["sex"], person["age_group"]), "sex": (person["sex"], "all"), "all": ("all", "all")}
    for name, (sex, age) in strata.items():
        rows = peers[(peers["sex"] == sex) & (peers["age_group"] == age)]
        if len(rows):
            low, high = rows.loc[rows["value"] <= own, "rank"], rows.loc[rows["value"] > own, "rank"]
            return {"outcome": "ok"} | result | {"stratum": name, "at_least": int(low.max()) if len(low) else None,
                                                 "below": int(high.min()) if len(high) else None}
    return {"outcome": "no_peers"} | result
