"""Checks of the fault list (`make faults`): each fault matches the sources and names an existing test, and every
implemented requirement group has a fault."""

import ast
import re

import pytest

from support.server import ROOT
from support.tools import load_script

tool = load_script("faults")
FAULTS = tool.read_faults()
TEST_FOLDER = ROOT / "e2e"
REQUIREMENTS = ROOT / "docs" / "requirements"
PENDING = {line.strip() for line in (REQUIREMENTS / "pending.txt").read_text().splitlines()}


# Either the beginning of a suite, or a test with a name and its function.
SWIFT_PARTS = re.compile(
    r'^(?:@\w+(?:\([^\n]*\))? )*(?:\w+ )*(?:struct|class|enum|actor|extension) (\w+)'
    r'|@Test\(\s*"((?:[^"\\]|\\.)*)".*?\bfunc (\w+)', re.M | re.S)


def tagged_swift_tests():
    """Returns the requirement ids of each Swift test, by `Suite/function`."""
    found = {}
    for path in (ROOT / "Tests").rglob("*.swift"):
        suite = None
        for type_name, name, function in SWIFT_PARTS.findall(path.read_text()):
            suite = type_name or suite
            if function:
                found[f"{suite}/{function}"] = set(tool.swift_results.ids(name))
    return found


def tagged_tests():
    """Returns the requirement ids of each browser test, by `folder/file::name`."""
    found = {}

    def look(body, place):
        for node in body:
            if isinstance(node, ast.ClassDef):
                look(node.body, f"{place}::{node.name}")
            elif isinstance(node, ast.FunctionDef):
                marks = [mark for mark in node.decorator_list if isinstance(mark, ast.Call)
                         and ast.unparse(mark.func) == "pytest.mark.spec"]
                found[f"{place}::{node.name}"] = {ast.literal_eval(argument)
                                                  for mark in marks for argument in mark.args}

    for path in TEST_FOLDER.rglob("test_*.py"):
        look(ast.parse(path.read_text()).body, str(path.relative_to(TEST_FOLDER)))
    return found


TESTS = tagged_tests() | tagged_swift_tests()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"])
def test_fault_matches_the_sources(fault):
    text = (ROOT / fault["file"]).read_text()
    assert text.count(fault["find"]) == 1, "the text to replace has to occur once"
    assert fault["replace"] != fault["find"]
    assert fault["test"] in TESTS
    assert set(fault["ids"]) <= TESTS[fault["test"]], "the test carries the ids"


def test_fault_names_are_unique():
    assert len({fault["name"] for fault in FAULTS}) == len(FAULTS)


def test_every_implemented_requirement_group_has_a_fault():
    def group(requirement):
        """Returns the group of a requirement: T-1-1 for Tracking's T-1-1-1, C-01 itself, and F-01 for Family's three
        cases."""
        return requirement[:5] if requirement[0] == "T" else requirement[:4]

    rows = [row for page in ("tracking.md", "carrepsa.md", "family.md")
            for row in re.findall(r"^\| ([TCF]-[\d-]+) \|", (REQUIREMENTS / page).read_text(), re.M)]
    done = {group(row) for row in rows if row not in PENDING}
    assert done - {group(one) for fault in FAULTS for one in fault["ids"]} == set()


def test_fault_document_is_up_to_date():
    assert (ROOT / "docs" / "fault-injections.md").read_text() == tool.document(FAULTS), \
        "make it anew: scripts/faults --list > docs/fault-injections.md"
