def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    scores = {}
    for row in sorted(surveys_df.to_dict("records"), key=lambda row: row["instance"]):
        if row["instrument"] == "phq9" and row["score"] == row["score"] and row["answered_on"] == row["answered_on"]:
            scores[row["answered_on"]] = row["score"]
    ordered = [scores[day] for day in sorted(scores)]
    answer = {"answers": len(ordered), "first": ordered[0] if ordered else None, "last": ordered[-1] if ordered else None,
              "change": None, "direction": None}
    if len(ordered) < 2:
        return answer | {"outcome": "one_answer" if ordered else "insufficient"}
    change = ordered[-1] - ordered[0]
    direction = "similar" if abs(change) < 5 else ("worse", "better")[change < 0]
    return answer | {"outcome": "ok", "change": change, "direction": direction}
