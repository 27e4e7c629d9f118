"""Offline: changes are queued until they can be sent."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home
from support.family import give, open_assign
from support.offline import (
    QUEUED,
    add_offline,
    chip,
    go_offline,
    go_online,
    is_kept,
    names,
    open_waiting,
    rename_offline,
    save_and_leave,
    says_what_is_kept,
    see,
    waiting,
    waits,
    with_worker,
)
from support.pages import FRAME, card, open_advanced, toast, words

pytestmark = pytest.mark.service_worker

# Fetches a part of the points form again and returns whether the request failed.
RENEWED_IN_VAIN = """() => new Promise((done) => {
  addEventListener("htmx:sendError", () => done(true), { once: true, capture: true });
  setTimeout(() => done(false), 10_000);
  document.getElementById("assign-rows").dispatchEvent(new CustomEvent("hw:refresh"));
})"""


def test_pending_change_is_listed_and_sent(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}")
    see(page, f"/tracking/items/{item['id']}/edit")
    see(page, "/tracking/items/new")
    go_offline(page)
    rename_offline(page, item, "Office keys")
    expect(toast(page, QUEUED)).to_be_visible()
    expect(page).to_have_url(re.compile(f"/tracking/items/{item['id']}$"))
    waits(page, 1)
    for name in ("Umbrella", "Kite"):
        add_offline(page, name)
        expect(page).to_have_url(re.compile("/tracking/items$"))
    waits(page, 3)
    sheet = open_waiting(page)
    rows = sheet.get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Office keys")
    expect(rows.nth(1)).to_contain_text("Add item")
    expect(rows.nth(1)).to_contain_text("Umbrella")
    rows.nth(2).get_by_role("button", name=words("Discard")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("Kite")
    question.get_by_role("button", name=words("Discard")).click()
    expect(rows).to_have_count(2)
    sheet.get_by_role("button", name=words("Close")).click()
    go_online(page)
    waits(page, 0)
    expect(toast(page, "What was waiting has been sent.")).to_be_visible()
    assert names(someone) == ["Office keys", "Umbrella"]
    expect(card(page, "Office keys")).to_be_visible()


def test_slow_tap_opens_the_list_of_pending_changes(engine, person, sign_in):
    """A press sets the focus, and the messages must not move away from it before the release."""
    page = with_worker(sign_in(person()))
    see(page, "/tracking/items")
    is_kept(page, "/tracking/items/new")
    go_offline(page)
    add_offline(page, "Umbrella")
    waits(page, 1)
    chip(page).hover()
    page.mouse.down()
    for _ in range(3):
        page.evaluate(FRAME)
    page.mouse.up()
    expect(page.get_by_role("dialog", name="Waiting changes")).to_be_visible()


def test_forms_open_offline_without_having_been_opened(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    is_kept(page, "/tracking/items/new")
    see(page, f"/tracking/items/{item['id']}")
    is_kept(page, f"/tracking/items/{item['id']}/edit")
    # The form shows the last seen values, not the first ones.
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "House keys"}, expect=200)
    page.reload()
    is_kept(page, f"/tracking/items/{item['id']}/edit", words="House keys")
    go_offline(page)
    rename_offline(page, item, "Office keys")
    add_offline(page, "Umbrella")
    waits(page, 2)
    go_online(page)
    waits(page, 0)
    assert names(someone) == ["Office keys", "Umbrella"]


def test_family_forms_open_offline_without_having_been_opened(engine, home, sign_in):
    page = with_worker(sign_in(home.parent))
    see(page, "/family")
    contract = f"/family/children/{home.mia['id']}/contracts/new"
    for form in ("/family/children/new", "/family/chores/new"):
        is_kept(page, form)
    see(page, f"/family/children/{home.mia['id']}")
    is_kept(page, contract)
    assert not says_what_is_kept(page, contract, "current contract")
    # The values of the current contract are not outdated.
    home.parent.contract(home.mia)
    page.reload()
    is_kept(page, contract, words="current contract")
    go_offline(page)
    for form, title in (("/family/children/new", "Add a child"), ("/family/chores/new", "Add a chore"),
                        (contract, "Add contract")):
        page.goto(form)
        expect(page.get_by_role("heading", level=1)).to_have_text(words(title))
        expect(page.locator("form[data-queue]")).to_be_visible()


def test_second_pending_change_keeps_the_first_ones_fields(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    page = with_worker(sign_in(someone))
    see(page, path)
    see(page, f"{path}/edit")
    go_offline(page)
    rename_offline(page, item, "Car keys")
    waits(page, 1)
    # The page is the last cached one, with the old name.
    page.goto(f"{path}/edit")
    open_advanced(page)
    page.locator("#item-form [name='settings.lostMetres']").fill("40")
    save_and_leave(page)
    waits(page, 2)
    go_online(page)
    waits(page, 0)
    stored = someone.call("GET", path, expect=200)
    assert (stored["name"], stored["settings"]["lostMetres"]) == ("Car keys", 40)


def test_points_given_offline_are_booked_once(engine, home, sign_in):
    parent = home.parent
    chore = parent.chore("Dishes")
    page = with_worker(sign_in(parent))
    path = f"/family/children/{home.mia['id']}"
    see(page, path)
    see(page, f"{path}/assignments/new")
    go_offline(page)
    for _ in range(2):
        page.goto(f"{path}/assignments/new")
        page.locator(f"label:has([name='points.{chore['id']}'][value='2'])").click()
        page.get_by_role("button", name=words("Assign")).click()
        expect(toast(page, QUEUED)).to_be_visible()
    waits(page, 2)
    go_online(page)
    waits(page, 0)
    given = parent.call("GET", f"{path}/assignments", expect=200)["items"]
    assert [entry["points"] for entry in given] == [2, 2]


def test_lost_connection_submits_no_unconfirmed_points(engine, home, sign_in):
    parent = home.parent
    chore = parent.chore("Dishes")
    path = f"/family/children/{home.mia['id']}"
    # Without a worker, as on a home network without TLS.
    page = sign_in(parent, service_workers="block")
    page.goto(path)
    dialog = open_assign(page)
    give(dialog, "Dishes", 2)
    go_offline(page)
    assert page.evaluate(RENEWED_IN_VAIN)
    page.wait_for_timeout(500)
    assert waiting(page) == []
    # The choice is kept and is sent after a tap on Assign.
    dialog.get_by_role("button", name=words("Assign")).click()
    waits(page, 1)
    go_online(page)
    waits(page, 0)
    given = parent.call("GET", f"{path}/assignments", expect=200)["items"]
    assert [(one["choreId"], one["points"]) for one in given] == [(chore["id"], 2)]


def test_package_requests_are_never_queued_offline(engine, person, sign_in):
    sender = person("Olga", phone="+49 30 1234567")
    page = with_worker(sign_in(sender))
    see(page, "/carrepsa/packages/new")
    go_offline(page)
    page.goto("/carrepsa/packages/new")
    page.get_by_label("Title").fill("Bike helmet")
    page.get_by_role("button", name="Request delivery").click()
    expect(toast(page, "nothing was sent")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Bike helmet")
    assert waiting(page) == []
