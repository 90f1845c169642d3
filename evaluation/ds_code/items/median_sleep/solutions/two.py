from statistics import median

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    windows = {"recent": [], "earlier": []}
    for day, minutes, partial in zip(summary_df.index, summary_df["sleep_minutes"], summary_df["is_partial"]):
        age = (end - day).days
        if minutes == minutes and not partial and 0 <= age < 28:
            windows["recent" if age < 14 else "earlier"].append(minutes)
    enough = all(len(nights) >= 10 for nights in windows.values())
    medians = {name: median(nights) if enough else None for name, nights in windows.items()}
    return {"outcome": "ok" if enough else "insufficient",
            "recent_nights": len(windows["recent"]), "earlier_nights": len(windows["earlier"]),
            "recent_median": medians["recent"], "earlier_median": medians["earlier"],
            "difference": medians["recent"] - medians["earlier"] if enough else None}
