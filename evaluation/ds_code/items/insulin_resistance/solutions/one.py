def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    rows = labs_df[(labs_df["fasting"] == "yes") & labs_df["analyte_key"].isin(["glucose", "insulin"])]
    rows = rows.dropna(subset=["value_canonical", "collected_date"]).sort_values("row_no")
    both = rows.pivot_table(index="collected_date", columns="analyte_key", values="value_canonical", aggfunc="last")
    both = both.reindex(columns=["glucose", "insulin"]).dropna().sort_index()
    if both.empty:
        return {"outcome": "insufficient", "date": None, "homa_ir": None, "category": None}
    draw = both.iloc[-1]
    homa = float(draw["glucose"] * draw["insulin"] / 405)
    category = "sensitive" if homa < 1.5 else "resistant" if homa > 2.9 else "impaired"
    return {"outcome": "ok", "date": both.index[-1].date().isoformat(), "homa_ir": homa, "category": category}
