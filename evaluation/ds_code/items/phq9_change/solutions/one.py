def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    rows = surveys_df[surveys_df["instrument"] == "phq9"].dropna(subset=["score", "answered_on"])
    rows = rows.sort_values(["answered_on", "instance"]).drop_duplicates("answered_on", keep="last")
    result = {"answers": len(rows), "first": None, "last": None, "change": None, "direction": None}
    if rows.empty:
        return {"outcome": "insufficient"} | result
    first, last = float(rows["score"].iloc[0]), float(rows["score"].iloc[-1])
    result |= {"first": first, "last": last}
    if len(rows) == 1:
        return {"outcome": "one_answer"} | result
    change = last - first
    direction = "better" if change <= -5 else "worse" if change >= 5 else "similar"
    return {"outcome": "ok"} | result | {"change": change, "direction": direction}
