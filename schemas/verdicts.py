"""Words of tables that are no codes, in a sentence each: verdicts on claims, rules that refuse an answer."""

CLAIM_VERDICTS = {
    "verified": "What the sentence says is what the cited fact says.",
    "no_such_fact": "The sentence cites a fact that is not in the dossier.",
    "value_differs": "A number is not that of the cited fact, or stands in another role.",
    "unit_differs": "A number has another unit than the cited fact.",
    "direction_differs": "A word such as higher or lower is not what the cited fact says.",
    "window_differs": "The sentence speaks of other days than the cited fact.",
    "unbound_number": "A number rests on no cited fact.",
    "unbound_statement": "Words rest on no cited fact, such as a condition no finding names.",
}
ANSWER_RULES = {
    "fits_dictionary": "An answer is none the study's data dictionary allows: outside its limits or choices.",
    "conflicting_answers": "Different answers were given to one question at one time; none of them is used.",
}
EXPLAINED = {
    **{name: ("a verdict on a claim", told) for name, told in CLAIM_VERDICTS.items()},
    **{name: ("a rule of rejected_rows", told) for name, told in ANSWER_RULES.items()},
}
