def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    stages = summary_df[["deep_sleep_minutes", "rem_sleep_minutes", "light_sleep_minutes"]].dropna().astype(float)
    staged = stages.sum(axis=1)
    stages, staged = stages[staged > 0], staged[staged > 0]
    if len(stages) < 7:
        return {"outcome": "insufficient", "nights": len(stages), "pooled_share": None, "mean_share": None}
    deep = stages["deep_sleep_minutes"]
    return {"outcome": "ok", "nights": len(stages), "pooled_share": float(deep.sum() / staged.sum()),
            "mean_share": float((deep / staged).mean())}
