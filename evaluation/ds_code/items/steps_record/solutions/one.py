def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    steps = summary_df.loc[~summary_df["is_partial"].astype(bool), "steps"].dropna()
    if len(steps) < 7:
        return {"outcome": "insufficient", "days": len(steps), "record": None, "record_date": None, "usual": None,
                "ratio": None, "days_since": None}
    day, usual = steps.idxmax(), float(steps.median())
    return {"outcome": "ok", "days": len(steps), "record": float(steps.max()), "record_date": day.date().isoformat(),
            "usual": usual, "ratio": float(steps.max()) / usual if usual else None,
            "days_since": int((profile_df["data_through"].iloc[0] - day).days)}
