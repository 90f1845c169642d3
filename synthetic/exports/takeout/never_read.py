"""What no study may read: small and honest, so that a reader can show that it leaves it alone.

Location, messages, account, commerce, consent-sensitive products, the classifier's bulk; and families that
say "no data".
"""

from datetime import datetime, time

from synthetic.exports.members import Member
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_times import instant_text

# Product, file and header of files with a single row; "{}" stands for the time of the row.
PRODUCT_FILES = (
    ("Activity Goals", "Activity Goals.csv", "type,frequency,target,created_on\nSTEPS,DAILY,10000,{}\n"),
    ("Social", "Messages.csv", "sent_at,to,text\n{},A friend,See you at the lake\n"),
    ("Discover", "Recommendations.csv", "seen_at,title\n{},Ten minutes of calm\n"),
    ("Commerce", "Orders.csv", "ordered_at,item,price\n{},Strap,24.95\n"),
    ("Account Changes", "Email Changes.csv", "changed_at,address\n{},someone@example.org\n"),
    ("User Security Data", "Sign-ins.csv", "signed_in_at,address\n{},192.0.2.7\n"),
    ("Menstrual Health", "Menstrual Health Cycles.csv", "id,start_date,end_date\n1,{},{}\n"),
    ("Mindfulness", "Mindfulness Sessions.csv", "session_id,start_time\n1,{}\n"),
    ("Atrial Fibrillation ECG", "Atrial Fibrillation ECG README.txt", "No data.\n"),
    ("Heart Rate", "Heart Rate Notifications Alerts.csv", "id,start_timestamp,end_timestamp\n"),
)
GOOGLE_FILES = (
    (
        "Physical Activity",
        "gps_location_{day}.csv",
        "timestamp,latitude,longitude,altitude\n{},47.0,8.0,400\n",
    ),
    ("Physical Activity", "coarse_physical_location.csv", "timestamp,place\n{},HOME\n"),
    ("Physical Activity", "live_pace_{day}.csv", "timestamp,steps,distance millimeters\n{},60,45000\n"),
    ("Physical Activity", "micro_motion_{day}.csv", "timestamp,motion\n{},STILL\n"),
    ("Health Fitness Data", "UserConversations.csv", "conversation_time,text\n{},How did I sleep?\n"),
    ("Health Fitness Data", "MedicalRecords.csv", "record_time,kind\n"),
    (
        "Health Fitness Data",
        "UserActivityProbabilities_{day}.csv",
        "timestamp,walk,run,bike\n{},0.9,0.1,0.0\n",
    ),
    ("Health Fitness Data", "UserSensorCompressionToken_{day}.csv", "timestamp,token\n{},AAAA\n"),
    ("Device Events", "device_events_{day}.csv", "timestamp,event\n{},SYNC\n"),
)
FIRST_SITE_FILES = (
    ("food_logs-0.json", "[]"),
    ("badge.json", '[{\n  "encodedId" : "22ABCD",\n  "badgeType" : "DAILY_STEPS"\n}]'),
    ("trophy.json", "[]"),
)


def one_file(name: str, text: str, export: Export) -> Files:
    """A file of a row from the day on which the account was made."""
    first = datetime.combine(export.created, time(9, 30))
    path = name.replace("{day}", export.created.isoformat())
    yield Member(path, text.replace("{}", instant_text(export, first)).encode())


def glucose(export: Export) -> Files:
    """A file a month that says that there is nothing."""
    for month in sorted({f"{day:%Y%m}" for day in export.recording.days.dates}):
        yield Member(f"Glucose {month}.csv", b"no data")
