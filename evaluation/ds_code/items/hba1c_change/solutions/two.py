import pandas as pd

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    by_day = {}
    for key, value, day in zip(labs_df["analyte_key"], labs_df["value_canonical"], labs_df["collected_date"]):
        if key == "hba1c" and value == value and not pd.isna(day):
            by_day.setdefault(day.date(), []).append(value)
    draws = sorted((day, sum(values) / len(values)) for day, values in by_day.items())
    answer = {"outcome": ["insufficient", "one_draw", "ok"][min(len(draws), 2)], "draws": len(draws)}
    answer["newest_date"], answer["newest"] = (str(draws[-1][0]), draws[-1][1]) if draws else (None, None)
    two = len(draws) > 1
    answer["change"] = draws[-1][1] - draws[-2][1] if two else None
    answer["days_between"] = (draws[-1][0] - draws[-2][0]).days if two else None
    return answer
