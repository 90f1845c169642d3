"""The account: who it belongs to and what is paired with it."""

from datetime import datetime, time

from synthetic.exports.account import WALKING_STRIDE, account_id, synced_utc
from synthetic.exports.takeout.csv_text import text_rows
from synthetic.exports.takeout.export import Export, Files
from synthetic.people.devices import Device

PROFILE_HEADER = (
    "id,full_name,first_name,last_name,display_name_setting,display_name,username,email_address,date_of_birth,"
    "child,country,state,city,timezone,locale,member_since,about_me,start_of_week,sleep_tracking,"
    "time_display_format,gender,height,weight,stride_length_walking,stride_length_running,weight_unit,"
    "distance_unit,height_unit,water_unit,glucose_unit,swim_unit"
)
TRACKERS_HEADER = (
    "tracker_id,date_added,last_sync_date_time,batt_level,hardware_rev,is_display_distance,is_display_calories,"
    "is_display_clock,is_display_flower,is_display_elevation,is_display_chatter,is_right_handed,tracker_name,"
    "device_type,on_dominant_hand,is_display_active_minutes,clock_face,enable_ancs,is_bonded,is_display_steps,"
    "alarm_update_time,is_display_heart_rate,heart_rate_tracking,heart_rate_tracking_update_time,tap_enabled,"
    "tap_screen,flick_enabled,flick_screen"
)
DEVICES_HEADER = "wire_id,device_type,serial_number,enabled,fw_version"
FIRMWARE = "APP63.20001.220.31 BSL63.0.0 PERIPH|BT_RADIO|1.5378.0|0 PERIPH|TOUCH|9.0.2|2 ASSETS|1|13172"
FIRST_WIRE_ID = 894_447_000_000
PUT_AWAY_AT = time(21, 40)
RUNNING_STRIDE = 0.58


def profile(export: Export) -> Files:
    """Identifying, and the only place that names the time zone; cm and kg for every account."""
    person = export.person
    first, last = person.name.split(" ", 1)
    unit = "en_US" if person.miles else "METRIC"
    height = round(person.body.height_cm, 1)
    cells = (
        account_id(person), person.name, first, last, "name", f"{first} {last[0]}.", "null",
        f"{first.lower()}.{last.lower()}@example.org", person.birth_date, "false", "null", "null", "null",
        export.recording.days.zone.key, export.request.language, export.created, "null", "SUNDAY", "Normal",
        "12hour", person.sex.upper(), height, round(person.body.weight_kg, 1),
        round(height * WALKING_STRIDE, 3), round(height * RUNNING_STRIDE, 3),
        unit, unit, unit, "METRIC", "METRIC", unit,
    )  # fmt: skip
    yield text_rows("Profile.csv", PROFILE_HEADER, [",".join(map(str, cells))])


def trackers(export: Export) -> Files:
    """The recorders of the account by the day they were added; the phone is one that counts steps."""
    yield text_rows("Trackers.csv", TRACKERS_HEADER, [_tracker(export, device) for device in _added(export)])


def _added(export: Export) -> list[Device]:
    return sorted(export.recording.devices, key=lambda device: device.first_day)


def _tracker(export: Export, device: Device) -> str:
    """The first ones were added when the account was made; a device that was put away synced no more."""
    started = device.first_day == export.person.first_day
    added = export.created if started else device.first_day
    synced = synced_utc(export.recording)
    if device.last_day is not None:
        synced = export.utc_of(datetime.combine(device.last_day, PUT_AWAY_AT))
    return (
        f"{device.tracker_id},{added},{synced:%Y-%m-%dT%H:%M:%S}.000Z,54,0,"
        f"true,true,true,true,true,true,true,,{device.name},false,false,A,true,false,true,"
        f"{added}T12:54:04.000Z,true,AUTO,{added}T12:54:04.000Z,true,TIME,false,"
    )


def devices(export: Export) -> Files:
    """The same recorders by their wire id."""
    rows = [
        f"{FIRST_WIRE_ID + 10 * export.person.number + number},{device.name},,false,{FIRMWARE}"
        for number, device in enumerate(_added(export))
    ]
    yield text_rows("Devices.csv", DEVICES_HEADER, rows)
