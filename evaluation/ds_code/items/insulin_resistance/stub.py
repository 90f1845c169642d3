def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """HOMA-IR from the newest draw that has both fasting glucose and insulin.

    Looks at labs_df rows with fasting "yes", a collected_date and a value of value_canonical, and analyte_key
    "glucose" (value_canonical in mg/dL) or "insulin" (in uIU/mL). The newest collected_date that has both is used; of
    several rows of an analyte on that date the one with the largest row_no.

    Returns a dict with
    outcome: "ok", or "insufficient" where no date has both;
    date: ISO date of the draw;
    homa_ir: glucose * insulin / 405, not rounded;
    category: "sensitive" where homa_ir is below 1.5, "resistant" where above 2.9, else "impaired".
    date, homa_ir and category are None where insufficient.
    """
