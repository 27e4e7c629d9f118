"""The first minutes of a new family: F-19 to F-22."""

import re

import pytest
from playwright.sync_api import expect

from support.family import field, fill_level, is_marked, marked, names, press
from support.layout_checks import flaws
from support.pages import answered, toast, words
from support.parents import ada, page


def steps(page):
    return page.locator("#first-steps")


def step(page, title):
    return steps(page).get_by_role("link", name=re.compile(f"^{title}"))


def is_done(page, title):
    expect(steps(page).get_by_role("listitem").filter(has_text=title)).to_contain_text("Done")


def choose(page, *chores):
    for chore in chores:
        page.locator("label", has_text=chore).click()
    press(page, "Add chores")


@pytest.mark.spec("F-19-N", "F-20-N", "F-22-N")
def test_a_new_family_takes_its_first_steps(engine, ada, page):
    expect(steps(page).get_by_role("link")).to_have_count(2)
    assert flaws(page) == []
    mia = ada.child("Mia")
    # The page follows.
    is_done(page, "Add a child")
    step(page, "Choose chores").click()
    expect(page.get_by_role("group", name="Age 3 and up")).to_be_visible()
    choose(page, "Make your bed", "Vacuum")
    expect(toast(page, "2 chores added")).to_be_visible()
    is_done(page, "Choose chores")
    assert names(ada, "/family/chores") == ["Make your bed", "Vacuum"]
    step(page, "Agree on a reward").click()
    expect(page.locator("[data-level-row]")).to_have_count(1)
    page.get_by_role("button", name=words("Cinema")).click()
    expect(page.locator("[name='levels.0.reward']")).to_have_value("Cinema")
    expect(page.locator("[name='levels.0.points']")).to_be_focused()
    page.locator("[name='levels.0.points']").fill("8")
    expect(field(page, "Maximum points")).to_have_value("8")
    press(page, "Add contract")
    expect(page.locator("#gained")).to_contain_text("0 of 8")
    assert ada.call("GET", f"/family/children/{mia['id']}")["contract"]["maxPoints"] == 8


@pytest.mark.spec("F-21-N", "F-21-B")
def test_points_are_given_from_the_childs_page(engine, ada, page):
    mia = ada.child("Mia")
    page.goto(f"/family/children/{mia['id']}")
    page.get_by_role("link", name=words("Give points")).click()
    sheet = page.locator("dialog#assign")
    expect(sheet.get_by_role("heading", name="No chores yet")).to_be_visible()
    expect(sheet.get_by_role("link", name=words("Choose chores"))).to_have_attribute("href", "/family/starter-chores")
    ada.chore("Homework")
    page.goto(f"/family/children/{mia['id']}")
    page.get_by_role("link", name=words("Give points")).click()
    press(sheet, "Assign")
    expect(sheet.get_by_role("alert")).to_contain_text("Choose 1, 2 or 3 points")
    sheet.get_by_role("radio", name=words("3 points")).check(force=True)
    press(sheet, "Assign")
    expect(sheet).to_be_hidden()
    expect(page.locator("#achievement")).to_contain_text("3")
    assert ada.call("GET", f"/family/children/{mia['id']}")["achievementPoints"] == 3


@pytest.mark.spec("F-22-B")
def test_the_maximum_follows_the_levels_until_it_is_changed(engine, ada, page):
    mia = ada.child("Mia")
    page.goto(f"/family/children/{mia['id']}/contracts/new")
    maximum = field(page, "Maximum points")
    fill_level(page, 0, "Zoo", 4)
    fill_level(page, 1, "Park", 3)
    expect(maximum).to_have_value("7")
    maximum.fill("12")
    fill_level(page, 1, "Park", 5)
    expect(maximum).to_have_value("12")
    maximum.fill("")
    maximum.blur()
    expect(maximum).to_have_value("9")
    page.locator("[name='levels.1.points']").fill("")
    with answered(page):
        press(page, "Add contract")
    is_marked(page.locator("[name='levels.1.points']"), page)
    expect(marked(page)).to_have_count(1)
    # A reload loses neither rows nor the maximum that was typed.
    page.reload()
    expect(page.locator("[name='levels.1.reward']")).to_have_value("Park")
    expect(maximum).to_have_value("4")
    maximum.fill("12")
    page.reload()
    expect(page.locator("[name='levels.0.reward']")).to_have_value("Zoo")
    expect(maximum).to_have_value("12")
