def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    steps = summary_df["steps"].astype(float).where(~summary_df["is_partial"].astype(bool))
    means = steps.rolling("7D", min_periods=5).mean().dropna()
    if means.empty:
        return {"outcome": "insufficient", "periods": 0, "best_mean": None, "best_end": None, "latest_mean": None}
    best = means[(means - means.max()).abs() < 1e-6].index[-1]
    end = profile_df["data_through"].iloc[0]
    return {"outcome": "ok", "periods": len(means), "best_mean": float(means[best]), "best_end": best.date().isoformat(),
            "latest_mean": float(means[end]) if end in means.index else None}
