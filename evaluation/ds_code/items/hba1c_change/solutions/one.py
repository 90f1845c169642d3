def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    rows = labs_df[labs_df["analyte_key"] == "hba1c"].dropna(subset=["value_canonical", "collected_date"])
    days = rows.groupby("collected_date")["value_canonical"].mean().sort_index()
    result = {"draws": len(days), "newest": None, "newest_date": None, "change": None, "days_between": None}
    if days.empty:
        return {"outcome": "insufficient"} | result
    result |= {"newest": float(days.iloc[-1]), "newest_date": days.index[-1].date().isoformat()}
    if len(days) == 1:
        return {"outcome": "one_draw"} | result
    return {"outcome": "ok"} | result | {"change": float(days.iloc[-1] - days.iloc[-2]),
                                         "days_between": int((days.index[-1] - days.index[-2]).days)}
