from math import isnan

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    last = profile_df["data_through"].tolist()[0]
    total, count = 0.0, 0
    for day, row in summary_df.iterrows():
        counts = row["valid_day"] is True or row["valid_day"] == True if row["valid_day"] is not None else False
        if 0 <= (last - day).days < 30 and counts and not row["is_partial"] and not isnan(row["steps"]):
            total, count = total + row["steps"], count + 1
    enough = count >= 20
    return {"outcome": "ok" if enough else "insufficient", "days": count, "mean_steps": total / count if enough else None}
