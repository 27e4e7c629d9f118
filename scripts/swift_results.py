"""Reads what `swift test` prints: the results of tests with a display name, and the requirement ids in these names."""

import re

ID = re.compile(r"T-\d-\d-\d|F-\d\d(?:-[NBA])?|C-\d\d|H-\d\d")
# "✔ Test "C-01, C-03: An offer …" with 2 test cases passed after 0.1 seconds."
RESULT = re.compile(r'^. Test "(.+)" (?:with \d+ test cases? )?(passed|failed|was skipped|skipped)', re.M)
ISSUE = re.compile(r'^✘ Test "(.+)" recorded an issue .*?((?:Expectation failed|Caught error): .*)$', re.M)


def results(log):
    """Returns the display name of each test and how it ended: `passed`, `failed` or `skipped`."""
    return [(name, outcome.removeprefix("was ")) for name, outcome in RESULT.findall(log)]


def ids(name):
    """Returns the requirement ids at the start of a display name: "F-08-B, F-20-B: A chore …" has two."""
    found, colon, _ = name.partition(": ")
    found = found.split(", ")
    return found if colon and all(map(ID.fullmatch, found)) else []
