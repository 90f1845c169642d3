def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Change of the PHQ-9 score from the first to the newest answer.

    Looks at surveys_df rows with instrument "phq9", a score and answered_on. Sorted by answered_on, the first and the
    last are compared; of several rows with the same answered_on the one with the highest instance counts.

    Returns a dict with
    outcome: "ok"; "one_answer" where there is only one answered_on; "insufficient" where there is none;
    answers: number of different answered_on (always there);
    first, last: scores, None where insufficient (equal to each other where one_answer);
    change: last minus first, None unless ok;
    direction: "better" where change is -5 or less, "worse" where it is 5 or more, else "similar"; None unless ok.
    """
