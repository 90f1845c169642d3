"""The made study's questionnaires: what is asked, in which form, at which visit.

The items of published scales carry neutral labels ("item 3"); their texts are not shipped. Answer words are
those of scales that are free to copy (PHQ, GAD, AUDIT), elsewhere our own.
"""

from typing import Final

from synthetic.surveys.items import Choices, Form, Item, number, radio, scale

OFTEN: Choices = (
    (0, "Not at all"), (1, "Several days"), (2, "More than half the days"), (3, "Nearly every day"),
)  # fmt: skip
STRESS_WORDS: Choices = ((0, "Not once"), (1, "Rarely"), (2, "At times"), (3, "Often"), (4, "Nearly always"))
HOW_OFTEN: Choices = (
    (1, "Daily"), (2, "Most days"), (3, "Some days, not most"), (4, "Now and then"), (5, "Hardly ever"),
)  # fmt: skip
LOUDNESS: Choices = ((1, "Quiet"), (2, "Middling"), (3, "Loud"), (4, "Very loud"))
YES_NO_UNSURE: Choices = ((1, "Yes"), (2, "No"), (3, "Unsure"))
RATING: Choices = ((1, "Poor"), (2, "Fair"), (3, "Good"), (4, "Very good"), (5, "Excellent"))
SEX: Choices = ((1, "Female"), (2, "Male"), (3, "Intersex"), (9, "Prefer not to say"))
GENDER: Choices = ((1, "Woman"), (2, "Man"), (3, "Non-binary, or in another way"), (9, "Prefer not to say"))
SCHOOLING: Choices = (
    (1, "School"),
    (2, "Some college"),
    (3, "Bachelor's degree"),
    (4, "Master's degree or higher"),
)
SMOKING: Choices = ((0, "Never"), (1, "Former"), (2, "Current"))
DRINKING: tuple[Choices, ...] = (
    (
        (0, "Never"), (1, "Monthly or less"), (2, "2-4 times a month"), (3, "2-3 times a week"),
        (4, "4 or more times a week"),
    ),
    ((0, "1 or 2"), (1, "3 or 4"), (2, "5 or 6"), (3, "7 to 9"), (4, "10 or more")),
    ((0, "Never"), (1, "Less than monthly"), (2, "Monthly"), (3, "Weekly"), (4, "Daily or almost daily")),
)  # fmt: skip
CONDITIONS: Choices = (
    (1, "Diabetes"),
    (2, "High blood pressure"),
    (3, "High cholesterol"),
    (4, "Thyroid disease"),
)
# A label with commas and a negative code: both occur, and both trip readers.
MEDICINES: Choices = (
    (1, "Blood pressure tablets, of any kind"), (2, "Statin"), (3, "Diabetes drug, tablets or injections"),
    (4, "Thyroid hormone"), (-9, "None of these"),
)  # fmt: skip
GOALS: Choices = ((1, "Sleep better"), (2, "Move more"), (3, "Lose weight"), (4, "Less stress, more calm"))

BASELINE, WEEK_4 = "baseline", "week_4"
EVENTS: Final = (BASELINE, WEEK_4)
BOTH = (BASELINE, WEEK_4)


def _person_text(name: str, label: str, validation: str = "") -> Item:
    return Item(name, "text", label, validation=validation, identifier=True)


DEMOGRAPHICS = Form(
    "demographics",
    "About you",
    (
        Item("welcome", "descriptive", "<b>Welcome</b>, and thank you for taking part"),
        _person_text("full_name", "Your name"),
        _person_text("contact_email", "E-mail address", "email"),
        _person_text("contact_phone", "Telephone number", "phone"),
        # An action tag hides a field from the page, not from the export.
        Item("invited_as", "text", "Name on the invitation", identifier=True, note="@HIDDEN @READONLY"),
        radio("sex_at_birth", "Sex assigned at birth", SEX),
        radio("gender", "Gender", GENDER),
        radio("schooling", "Highest education", SCHOOLING),
        number("height_cm", "Height in cm", 120, 220),
        number("weight_kg", "Weight in kg", 30, 250),
        Item(
            "bmi", "calc", "Body mass index", calculation="round([weight_kg] / ([height_cm] / 100)^2, 1)",
            note="@HIDDEN-SURVEY",
        ),
        radio("smoking", "Do you smoke?", SMOKING),
        number("cigarettes_a_day", "Cigarettes a day", 0, 80, whole=True, shown_if='[smoking] = "2"'),
        Item("consent_copy", "file", "Copy of the consent form", note="@HIDDEN"),
    ),
)  # fmt: skip
BODY_MEASURES = Form(
    "body_measures",
    "Body measures",
    (
        number("waist_cm", "Waist in cm", 40, 200),
        number("systolic", "Blood pressure at rest, upper number", 60, 260, whole=True),
        number("diastolic", "Blood pressure at rest, lower number", 30, 160, whole=True),
    ),
)
PHQ9 = Form("phq9", "Mood, past two weeks", scale("phq9", "Patient health questionnaire", 9, OFTEN))
PHQ8 = Form(
    "phq8",
    "Mood since your first visit, past two weeks",
    scale("phq8", "Patient health questionnaire without its last item", 8, OFTEN),
    (WEEK_4,),
)
GAD7 = Form("gad7", "Worry, past two weeks", scale("gad7", "Generalised anxiety scale", 7, OFTEN), BOTH)
PSS10 = Form("pss10", "Stress, past month", scale("pss10", "Stress scale", 10, STRESS_WORDS), BOTH)
AUDITC = Form(
    "auditc",
    "Alcohol",
    tuple(radio(f"auditc_{n}", f"Alcohol use, item {n}", words) for n, words in enumerate(DRINKING, start=1)),
)
IPAQ = Form(
    "ipaq",
    "Activity, past seven days",
    (
        *(
            item
            for n, effort in ((1, "vigorous"), (3, "moderate"), (5, "walking"))
            for item in (
                number(f"ipaq_{effort}_days", f"Activity scale, item {n}: days", 0, 7, whole=True),
                number(
                    f"ipaq_{effort}_minutes",
                    f"Activity scale, item {n + 1}: minutes on such a day",
                    0,
                    1440,
                    whole=True,
                    shown_if=f"[ipaq_{effort}_days] > 0",
                ),
            )
        ),
        number("ipaq_sitting_minutes", "Activity scale, item 7: minutes a day", 0, 1440, whole=True),
    ),
)
BERLIN = Form(
    "berlin",
    "Sleep and breathing",
    tuple(
        radio(f"berlin_{n}", f"Sleep and breathing scale, item {n}", choices, shown_if)
        for n, choices, shown_if in (
            (1, YES_NO_UNSURE, ""),
            (2, LOUDNESS, '[berlin_1] = "1"'),
            (3, HOW_OFTEN, '[berlin_1] = "1"'),
            (4, YES_NO_UNSURE, '[berlin_1] = "1"'),
            (5, HOW_OFTEN, ""),
            (6, HOW_OFTEN, ""),
            (7, HOW_OFTEN, ""),
            (8, YES_NO_UNSURE, ""),
            (9, HOW_OFTEN, '[berlin_8] = "1"'),
            (10, YES_NO_UNSURE, ""),
        )
    ),
)
HEALTH_HISTORY = Form(
    "health_history",
    "Health history",
    (
        Item("conditions", "checkbox", "Has a doctor told you that you have ...", CONDITIONS),
        Item("comments", "notes", "Anything else you want to tell us"),
    ),
)
MAY_BE_PREGNANT = '[sex_at_birth] = "1" or [sex_at_birth] = "3"'
REPRODUCTIVE_HEALTH = Form(
    "reproductive_health",
    "Pregnancy",
    (Item("pregnant", "yesno", "Are you pregnant?", shown_if=MAY_BE_PREGNANT),),
)
MEDICATION = Form(
    "medication",
    "Medicines",
    (
        Item("medicines", "checkbox", "Which of these do you take?", MEDICINES),
        Item("other_medicines", "notes", "Other medicines"),
    ),
)
HEALTH_INSIGHTS = Form(
    "health_insights",
    "Your view of your health",
    (
        radio("view_health", "Your health in general", RATING),
        radio("view_sleep", "Your sleep", RATING),
        radio("view_activity", "How active you are", RATING),
        Item("view_energy", "slider", "Your energy, from 0 to 100"),
        Item("usual_bed_time", "text", "When do you usually go to bed?", validation="time"),
        Item("last_check_up", "text", "Your last check-up", validation="date_ymd"),
        Item("goals", "checkbox", "What do you want to change?", GOALS),
        Item("insight_wish", "notes", "What would you like to learn from your data?"),
    ),
)
HOME_PRESSURE = Form(
    "home_pressure",
    "Blood pressure at home",
    (
        Item("home_date", "text", "Measured on", validation="date_ymd"),
        number("home_systolic", "Upper number at home", 60, 260, whole=True),
        number("home_diastolic", "Lower number at home", 30, 160, whole=True),
    ),
    repeats=True,
)

QUESTIONNAIRE: tuple[Form, ...] = (
    DEMOGRAPHICS, BODY_MEASURES, PHQ9, GAD7, PSS10, AUDITC, IPAQ, BERLIN, HEALTH_HISTORY, REPRODUCTIVE_HEALTH,
    MEDICATION, HEALTH_INSIGHTS, PHQ8, HOME_PRESSURE,
)  # fmt: skip
# Forms of a single visit, for exports that know neither visits nor repeats.
SINGLE_VISIT: tuple[Form, ...] = tuple(
    form for form in QUESTIONNAIRE if BASELINE in form.events and not form.repeats
)
ASKED_ONCE_A_VISIT: tuple[Form, ...] = tuple(form for form in QUESTIONNAIRE if not form.repeats)
