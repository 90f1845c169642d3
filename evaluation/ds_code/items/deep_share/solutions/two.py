def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    names = ("deep_sleep_minutes", "rem_sleep_minutes", "light_sleep_minutes")
    nights = [night for night in zip(*(summary_df[name].tolist() for name in names)) if sum(night) > 0]
    if len(nights) < 7:
        return {"outcome": "insufficient", "nights": len(nights), "pooled_share": None, "mean_share": None}
    deep, total = sum(night[0] for night in nights), sum(map(sum, nights))
    shares = [night[0] / sum(night) for night in nights]
    return {"outcome": "ok", "nights": len(nights), "pooled_share": deep / total, "mean_share": sum(shares) / len(shares)}
