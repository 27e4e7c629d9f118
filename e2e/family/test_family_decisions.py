"""Decisions about what children have done: declined with a word (F-32), and several at once (F-33)."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, sign_in_by_link
from support.family import field, open_dashboard, press, score
from support.layout_checks import flaws
from support.pages import toast, words


def ask(device, child, chore):
    return device.call("POST", f"/family/children/{child['id']}/requests", {"choreId": chore["id"]}, expect=201)


def request_path(child, asked):
    return f"/family/children/{child['id']}/requests/{asked['id']}"


@pytest.mark.spec("F-32-N")
def test_a_parent_declines_with_a_word(engine, server, home, sign_in, phone):
    dishes = home.parent.chore("Dishes")
    asked = ask(home.parent.device(home.mia), home.mia, dishes)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto(f"/family/children/{home.mia['id']}")
    tile = child.locator(f"#chore-{dishes['id']}")
    expect(tile).to_contain_text("Waiting for a parent")
    page = sign_in(home.parent)
    page.goto(request_path(home.mia, asked) + "?view=decline")
    assert flaws(page) == []
    press(page, "Not quite finished yet")
    expect(toast(page, "“Dishes” declined")).to_be_visible()
    expect(tile).to_contain_text("Declined by Paula: Not quite finished yet")
    assert flaws(child) == []
    # The child did it again.
    child.get_by_role("button", name="I have done “Dishes”").click()
    expect(tile).not_to_contain_text("Declined")


def choose(page, *chores):
    for chore in chores:
        page.get_by_role("checkbox", name=words(f"Choose “{chore}”")).first.check()


@pytest.mark.spec("F-33-N", "F-33-B")
def test_several_requests_are_approved_at_once(engine, server, home, sign_in):
    dishes, dog, bins = (home.parent.chore(name) for name in ("Dishes", "Dog", "Bins"))
    mia, ben = home.parent.device(home.mia), home.parent.device(home.ben)
    ask(mia, home.mia, dishes)
    page = sign_in(home.parent)
    open_dashboard(page)
    row = page.get_by_role("link", name=re.compile("^Waiting for points"))
    expect(page.get_by_text("1 chore to approve")).to_be_visible()
    # A single request is decided on the card.
    expect(row).to_have_count(0)
    ask(mia, home.mia, dog)
    ask(ben, home.ben, bins)
    expect(row).to_contain_text("3 chores to approve")
    row.click()
    expect(page.get_by_role("checkbox")).to_have_count(3)
    press(page, "Give 2 points for each chosen chore")
    expect(toast(page, "Choose at least one chore to approve.")).to_be_visible()
    assert score(home.parent, home.mia) == (0, 0, 0)
    choose(page, "Dishes", "Bins")
    # What another child asks for doesn't change the choice.
    ask(ben, home.ben, dishes)
    expect(page.get_by_role("checkbox")).to_have_count(4)
    press(page, "Give 2 points for each chosen chore")
    expect(toast(page, "2 chores approved, 2 points each")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(2)
    assert score(home.parent, home.mia) == (0, 2, 0)
    assert score(home.parent, home.ben) == (0, 2, 0)
    # One alone gets other points, and returns here.
    press(page, "Give 3 points for “Dog”")
    expect(page.get_by_role("checkbox")).to_have_count(1)
    press(page, "Choose all")
    press(page, "Give 1 point for each chosen chore")
    expect(page.get_by_text("Nothing to approve")).to_be_visible()
    assert score(home.parent, home.mia) == (0, 5, 0)
    assert score(home.parent, home.ben) == (0, 3, 0)


@pytest.mark.spec("F-35-N")
def test_points_that_are_given_automatically_are_announced(engine, server, home, sign_in, phone):
    dishes = home.parent.chore("Dishes")
    page = sign_in(home.parent)
    page.goto(f"/family/chores/{dishes['id']}/edit")
    page.get_by_text("Automatic points").click()
    field(page, "After how many hours").fill("24")
    page.get_by_role("radio", name="2 points").check(force=True)
    press(page, "Update")
    expect(toast(page, "“Dishes” is updated")).to_be_visible()
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto(f"/family/children/{home.mia['id']}")
    ask(home.parent.device(home.mia), home.mia, dishes)
    expect(child.locator(f"#chore-{dishes['id']}")).to_contain_text("Points are given automatically:")
