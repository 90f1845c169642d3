"""What ``pha init`` writes."""

from ingest.registry import COLUMNS

PARTICIPANTS = ",".join(COLUMNS) + "\n"

STUDY_TOML = """\
# A study of PHA Cohort. All settings stand in docs/settings.md; what is left out has a safe default.

[study]
name = "My study"
time_zone = "America/New_York"   # as-of is a date in this zone; participants may have their own

[windows]
days = [7, 30, 90]               # "last N days", ending with each participant's data_through
main = 30

[percentiles]
refresh = "monthly"              # monthly | every_run | manual
# reference = "reference_population.parquet"   # peers where the study has fewer than 11 (docs/percentiles.md)

[questions]
ids = [                          # all there are: docs/programs.md
  "fitness_trend", "sleep_regularity", "activity_guideline", "resting_heart_rate_peers", "weekday_weekend",
  "resting_heart_rate_change", "active_zone_change", "sleep_regularity_change", "sleep_duration_level",
  "ldl_and_activity",
]

[model]
name = "rules"                   # writes without any language model; nothing leaves this machine
allow = ["rules"]                # list others here once the study's agreement covers them
agreement = ""                   # its name, wanted for an endpoint that is not on this machine

[budget]
usd = 10.0

[privacy]
on_withdrawal = "keep"           # keep | erase
free_text = false

[alerts]
# Until a clinician has set them, the board shows the limits in red.
# set_by = "Dr. ..."
# set_on = 2026-01-31
phq_item_9 = true

# [alerts.critical.potassium]    # in the study's unit (ingest/labs/analytes.csv); at or beyond it is an alert
# low = 2.5
# high = 6.5

# [surveys.files."answers.csv"]  # a survey file that is no REDCap export: see docs/surveys.md
# form = "google_forms"          # qualtrics | google_forms | table
# participant = "Study id"       # the column with the participant's id
# answered = "Timestamp"
# dates = "mdy"

[reports]
require_sign_off = false         # true: no participant's page is published unsigned
"""

LETTER = """\
# How to send us your data

Dear participant,

thank you for taking part. Please download your data from Fitbit once and send us the file **as it comes,
without opening it**:

1. On a computer, open takeout.google.com and sign in with the Google account of your Fitbit or Google Health
   app.
2. Choose "Deselect all", then tick only **Fitbit** (in newer accounts **Google Health**).
3. Choose "Next step", then "Export once", file type **.zip**, and a size of 2 GB or more.
4. Wait for the e-mail from Google (minutes to a day). Its link works for about a week.
5. Download the file. If there are several parts, download **all** of them.
6. Send us the file or files the way your study team told you. Do not rename, unpack or zip them again.

The export holds more than we need. We read your activity, heart, sleep and similar measures, and your profile
only to check that the file is yours. We never read messages, payments or places; the program skips them.

If anything is unclear, write to your study team.
"""
