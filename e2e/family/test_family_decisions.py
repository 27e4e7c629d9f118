"""Decisions about what children have done: declined with a word (F-32), several at once (F-33), and automatic points
(F-35)."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Household, home, own_card, sign_in_by_link
from support.family import field, open_dashboard, press, score
from support.layout_checks import flaws
from support.pages import toast, words
from support.stored_clock import StoredClock


class RequestClock(StoredClock):
    """The clock of points that are given automatically."""

    def pass_time(self):
        return self._change("UPDATE family_request SET automatic_at = at WHERE automatic_at IS NOT NULL")


def ask(device, child, chore):
    return device.call("POST", f"/family/children/{child['id']}/requests", {"choreId": chore["id"]}, expect=201)


def request_path(child, asked):
    return f"/family/children/{child['id']}/requests/{asked['id']}"


@pytest.mark.spec("F-32-N", "F-32-B")
def test_a_parent_declines_with_a_word(engine, server, home, sign_in, phone):
    dishes, dog = home.parent.chore("Dishes"), home.parent.chore("Dog")
    device = home.parent.device(home.mia)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto(f"/family/children/{home.mia['id']}")
    asked = ask(device, home.mia, dishes)
    tile = child.locator(f"#chore-{dishes['id']}")
    expect(tile).to_contain_text("Waiting for a parent")
    page = sign_in(home.parent)
    page.goto(request_path(home.mia, asked) + "?view=decline")
    assert flaws(page) == []
    press(page, "Not quite finished yet")
    expect(toast(page, "“Dishes” declined")).to_be_visible()
    expect(tile).to_contain_text("Declined by Paula: Not quite finished yet")
    assert flaws(child) == []
    [told] = device.call("GET", "/notifications", expect=200)["items"]
    assert told["body"] == "Paula: Not quite finished yet"
    # Without a word, in two steps from the card of the child.
    asked = ask(device, home.mia, dog)
    page.goto("/family")
    page.get_by_role("link", name=words("Decline “Dog”")).click()
    press(page.locator("#decline-form"), "Decline")
    page.wait_for_url(re.compile("/family$"))
    expect(child.locator(f"#chore-{dog['id']}")).to_contain_text("Declined by Paula")
    # The child did it again.
    ask(device, home.mia, dishes)
    expect(tile).not_to_contain_text("Declined")


@pytest.mark.spec("F-32-A")
def test_a_decided_request_is_neither_declined_nor_taken_back(engine, server, home, sign_in, phone):
    dishes = home.parent.chore("Dishes")
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    own_card(child, home.mia).get_by_role("link", name=words("Mia")).click()
    child.get_by_role("button", name="I have done “Dishes”").click()
    undo = child.locator("#toasts").get_by_role("button", name=words("Undo"))
    expect(undo).to_be_visible()
    # A toast that is touched stays until the parent has decided.
    undo.hover()
    [asked] = home.parent.call("GET", f"/family/children/{home.mia['id']}/requests", expect=200)["items"]
    page = sign_in(home.parent)
    page.goto(request_path(home.mia, asked) + "?view=decline")
    home.parent.call("POST", request_path(home.mia, asked) + "/approval", {"points": 2}, expect=201)
    expect(undo).to_have_count(0)
    press(page, "Please do it again")
    page.wait_for_url(re.compile(f"/family/children/{home.mia['id']}$"))
    expect(page.locator("#toasts")).not_to_contain_text("declined")
    expect(page.locator("#achievement")).to_contain_text("2")
    expect(child.locator(f"#chore-{dishes['id']}")).not_to_contain_text("Declined")


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
    assert flaws(page) == []
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
    assert flaws(page) == []


@pytest.mark.spec("F-35-N")
def test_a_chore_counts_by_itself(own_server, sign_in, phone):
    server = own_server()
    ada = Household(server, "Ada")
    mia, dishes = ada.child("Mia"), ada.chore("Dishes")
    page = sign_in(ada)
    page.goto(f"/family/chores/{dishes['id']}/edit")
    page.get_by_text("Automatic points").click()
    field(page, "After how many hours").fill("24")
    page.get_by_role("radio", name="2 points").check(force=True)
    assert flaws(page) == []
    press(page, "Update")
    expect(toast(page, "“Dishes” is updated")).to_be_visible()
    page.goto(f"/family/chores/{dishes['id']}/edit")
    expect(page.locator("#automatic")).to_contain_text("After 24 hours")
    device = ada.device(mia)
    child = sign_in_by_link(phone(server), ada.code(mia), "Mia")
    child.goto(f"/family/children/{mia['id']}")
    ask(device, mia, dishes)
    expect(child.locator(f"#chore-{dishes['id']}")).to_contain_text("Points are given automatically:")
    page.goto("/family")
    expect(page.locator(f"#child-{mia['id']}")).to_contain_text("Points are given automatically:")
    assert flaws(page) == []
    assert RequestClock(server).pass_time() == 1
    server.restart()
    expect(child.get_by_text("+2")).to_be_visible(timeout=90_000)
    assert score(ada, mia) == (0, 2, 0)
    [told] = device.call("GET", "/notifications", expect=200)["items"]
    assert (told["title"], told["body"]) == (
        "Dishes: 2 points", "Mia got the points automatically because no parent decided in time.")
    [own] = [one for one in ada.call("GET", "/notifications", expect=200)["items"] if one["kind"] != "childSignedIn"]
    assert own["title"] == "Dishes: 2 points"
    page.goto(f"/family/children/{mia['id']}")
    expect(page.locator("#finished")).to_contain_text("given automatically")
