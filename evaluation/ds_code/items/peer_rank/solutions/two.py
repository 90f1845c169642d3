from statistics import median

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    person = profile_df.to_dict("records")[0]
    own = [value for day, value in summary_df["resting_heart_rate"].items()
           if value == value and (person["data_through"] - day).days < 30]
    answer = dict.fromkeys(["own_median", "stratum", "at_least", "below"])
    if len(own) < 10:
        return {**answer, "outcome": "insufficient"}
    answer["own_median"] = middle = median(own)
    found = {}
    for row in population_df.to_dict("records"):
        asked = (row["metric"], row["definition"], row["window"]) == ("resting_heart_rate", "person", "last_30_days")
        if asked and row["n"] > 10 and row["value"] == row["value"]:
            found.setdefault((row["sex"], row["age_group"]), []).append((int(row["percentile"]), row["value"]))
    order = [("cell", (person["sex"], person["age_group"])), ("sex", (person["sex"], "all")), ("all", ("all", "all"))]
    stratum = next((pair for pair in order if pair[1] in found), None)
    if stratum is None:
        return {**answer, "outcome": "no_peers"}
    ladder = sorted(found[stratum[1]])
    return {**answer, "outcome": "ok", "stratum": stratum[0],
            "at_least": max((p for p, value in ladder if value <= middle), default=None),
            "below": min((p for p, value in ladder if value > middle), default=None)}
