"""Recurrence rules, compared with python-dateutil and zoneinfo."""

import json
import os
import re
import subprocess
import sys
from collections import Counter

from support.server import BINARIES, ROOT

RULES = int(os.environ.get("HOMEWARD_TEST_RECURRENCE_RULES", "200"))
SEED = 5545


def test_schedules_have_the_occurrences_of_dateutil(tmp_path):
    cases, results = tmp_path / "cases.jsonl", tmp_path / "results.jsonl"
    with cases.open("w") as file:
        subprocess.run([sys.executable, ROOT / "scripts" / "recurrence-cases", str(SEED), str(RULES)], stdout=file,
                       check=True)
    with cases.open() as given, results.open("w") as file:
        subprocess.run([BINARIES / "recurrence-check"], stdin=given, stdout=file, check=True)
    frequencies, zones = Counter(), Counter()
    with cases.open() as given, results.open() as found:
        for line, result in zip(given, found, strict=True):
            case = json.loads(line)
            expected = case.pop("expected")
            assert json.loads(result) == expected, case
            frequency = re.search("FREQ=([A-Z]+)", re.sub("[\r\n]+[ \t]", "", case["rule"] or "FREQ=ONCE").upper())
            frequencies[frequency[1]] += len(expected)
            zones[case["zone"]] += 1
    # The generator covers what the comparison is about.
    assert set(frequencies) == {"ONCE", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"}
    assert min(frequencies.values()) > 0 and len(zones) == 20
