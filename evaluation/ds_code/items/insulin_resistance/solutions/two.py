import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    draws = {}
    for row in sorted(labs_df.to_dict("records"), key=lambda row: row["row_no"]):
        known = row["value_canonical"] == row["value_canonical"] and not pd.isna(row["collected_date"])
        if known and row["fasting"] == "yes":
            draws.setdefault(str(row["collected_date"])[:10], {})[row["analyte_key"]] = row["value_canonical"]
    dates = sorted(date for date, values in draws.items() if {"glucose", "insulin"} <= set(values))
    if not dates:
        return {"outcome": "insufficient", "date": None, "homa_ir": None, "category": None}
    index = draws[dates[-1]]["glucose"] / 405 * draws[dates[-1]]["insulin"]
    cuts = [(2.9, "resistant"), (1.4999999, "impaired"), (float("-inf"), "sensitive")]
    return {"outcome": "ok", "date": dates[-1], "homa_ir": float(index),
            "category": next(name for cut, name in cuts if index > cut)}
