def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Change of HbA1c between the two newest draws.

    Looks at labs_df rows with analyte_key "hba1c", a value of value_canonical (the study's unit) and a
    collected_date. Rows that have only a bound (value_canonical missing) are left out. Where a collected_date has
    several such rows, the day's value is their mean.

    Returns a dict with
    outcome: "ok"; "one_draw" where there is one day only; "insufficient" where there is none;
    draws: number of days (always there);
    newest: value of the newest day, None where insufficient; newest_date: its ISO date, None where insufficient;
    change: newest minus the value of the day before it in time; days_between: days from that day to the newest. Both
    None unless ok.
    """
