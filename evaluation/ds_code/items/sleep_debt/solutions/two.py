def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    end, nights = profile_df["data_through"].iloc[0], []
    for day in reversed(summary_df.index):
        if (end - day).days >= 7:
            break
        nights.append(summary_df.at[day, "sleep_minutes"])
    nights = [float(minutes) for minutes in nights if minutes == minutes]
    if len(nights) < 5:
        return dict(outcome="insufficient", nights=len(nights), debt_minutes=None, short_nights=None)
    return dict(outcome="ok", nights=len(nights), debt_minutes=sum(max(0.0, 480 - minutes) for minutes in nights),
                short_nights=len([minutes for minutes in nights if minutes < 420]))
