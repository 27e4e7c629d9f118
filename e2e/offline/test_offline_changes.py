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
    rename_offline,
    says_what_is_kept,
    see,
    waiting,
    waits,
    with_worker,
)
from support.pages import FRAME, card, toast, words

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
    # The forms open without having been opened.
    is_kept(page, "/tracking/items/new")
    see(page, f"/tracking/items/{item['id']}")
    is_kept(page, f"/tracking/items/{item['id']}/edit")
    # They show the last seen values, not the first ones.
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "House keys"}, expect=200)
    page.reload()
    is_kept(page, f"/tracking/items/{item['id']}/edit", words="House keys")
    go_offline(page)
    rename_offline(page, item, "Office keys")
    expect(toast(page, QUEUED)).to_be_visible()
    expect(page).to_have_url(re.compile(f"/tracking/items/{item['id']}$"))
    waits(page, 1)
    for name in ("Umbrella", "Kite"):
        add_offline(page, name)
        expect(page).to_have_url(re.compile("/tracking/items$"))
    waits(page, 3)
    # A press sets the focus, and the messages must not move away from it before the release.
    chip(page).hover()
    page.mouse.down()
    for _ in range(3):
        page.evaluate(FRAME)
    page.mouse.up()
    sheet = page.get_by_role("dialog", name="Waiting changes")
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


def test_family_forms_open_offline_and_points_are_booked_once(engine, home, sign_in):
    parent = home.parent
    chore = parent.chore("Dishes")
    page = with_worker(sign_in(parent))
    path = f"/family/children/{home.mia['id']}"
    contract, points = f"{path}/contracts/new", f"{path}/assignments/new"
    # None of the forms but that for points has been opened.
    see(page, "/family")
    for form in ("/family/children/new", "/family/chores/new"):
        is_kept(page, form)
    see(page, points)
    see(page, path)
    is_kept(page, contract)
    assert not says_what_is_kept(page, contract, "current contract")
    # The values of the current contract are not outdated.
    parent.contract(home.mia)
    page.reload()
    is_kept(page, contract, words="current contract")
    go_offline(page)
    for form, title in (("/family/children/new", "Add a child"), ("/family/chores/new", "Add a chore"),
                        (contract, "Add contract")):
        page.goto(form)
        expect(page.get_by_role("heading", level=1)).to_have_text(words(title))
        expect(page.locator("form[data-queue]")).to_be_visible()
    for _ in range(2):
        page.goto(points)
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
