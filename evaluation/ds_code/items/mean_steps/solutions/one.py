import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end = profile_df["data_through"].iloc[0]
    days = summary_df[(summary_df.index > end - pd.Timedelta(days=30)) & (summary_df.index <= end)]
    days = days[days["valid_day"].fillna(False) & ~days["is_partial"]]
    steps = days["steps"].dropna()
    if len(steps) < 20:
        return {"outcome": "insufficient", "days": len(steps), "mean_steps": None}
    return {"outcome": "ok", "days": len(steps), "mean_steps": float(steps.mean())}
