"""Offline: the list of items immediately shows an added item and a new name, marked as pending."""

import re

import pytest
from playwright.sync_api import expect

from support.offline import (
    add_offline,
    go_offline,
    go_online,
    is_kept,
    is_refused,
    names,
    open_waiting,
    rename_offline,
    see,
    waits,
    with_worker,
)
from support.pages import words

pytestmark = pytest.mark.service_worker

WAITING = ".waiting-badge"


def titles(page):
    return page.locator("#items .card-title")


def waiting_titles(page):
    return page.locator(f"#items .card:has({WAITING}) .card-title")


def prepare(page, *items):
    """Caches the pages that the tests need offline."""
    see(page, "/tracking/items")
    is_kept(page, "/tracking/items/new")
    for item in items:
        see(page, f"/tracking/items/{item['id']}")
        see(page, f"/tracking/items/{item['id']}/edit")


def with_renamed_item(person, sign_in):
    """A person, their item "Keys", and their page, where it was renamed "Car keys" without a connection."""
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    prepare(page, item)
    go_offline(page)
    rename_offline(page, item, "Car keys")
    return someone, item, page


@pytest.mark.parametrize("has_others", [True, False])
def test_added_item_is_listed_immediately_until_the_server_has_it(engine, person, sign_in, has_others):
    someone = person()
    others = ["Keys"] if has_others else []
    for name in others:
        someone.add_item(name)
    page = with_worker(sign_in(someone))
    prepare(page)
    go_offline(page)
    for name in ("Umbrella", "Kite"):
        add_offline(page, name)
        expect(page).to_have_url(re.compile("/tracking/items$"))
    waits(page, 2)
    expect(titles(page)).to_have_text(["Kite", "Umbrella", *others])
    expect(waiting_titles(page)).to_have_text(["Kite", "Umbrella"])
    expect(page.locator(f"#items {WAITING}").first).to_have_text("Waiting")
    expect(page.locator("#items .empty")).to_be_hidden()
    # Records all names that the list shows.
    page.evaluate("""() => {
      window.seen = [];
      const titles = () => [...document.querySelectorAll("#items .card-title")];
      const note = () => window.seen.push(titles().map((one) => one.textContent));
      new MutationObserver(note).observe(document.getElementById("items"), { childList: true, subtree: true });
    }""")
    go_online(page)
    waits(page, 0)
    expect(titles(page)).to_have_text(sorted(["Umbrella", "Kite", *others]))
    expect(waiting_titles(page)).to_have_count(0)
    assert names(someone) == sorted(["Umbrella", "Kite", *others])
    seen = page.evaluate("() => window.seen")
    assert seen and all({"Umbrella", "Kite"} <= set(shown) for shown in seen), "the real row replaces the marked one"
    for name in ("Umbrella", "Kite"):
        expect(page.get_by_role("link", name=words(name))).to_have_attribute("href", re.compile("^/tracking/items/"))


def test_renamed_item_is_listed_with_its_new_name_until_sent(engine, person, sign_in):
    _, item, page = with_renamed_item(person, sign_in)
    rename_offline(page, item, "Bike keys")
    waits(page, 2)
    page.goto("/tracking/items")
    expect(titles(page)).to_have_text(["Bike keys"])
    expect(waiting_titles(page)).to_have_text(["Bike keys"])
    go_online(page)
    waits(page, 0)
    expect(titles(page)).to_have_text(["Bike keys"])
    expect(waiting_titles(page)).to_have_count(0)


def test_discarded_changes_leave_the_list(engine, person, sign_in):
    _, _, page = with_renamed_item(person, sign_in)
    add_offline(page, "Umbrella")
    waits(page, 2)
    expect(waiting_titles(page)).to_have_text(["Umbrella", "Car keys"])
    sheet = open_waiting(page)
    for count, left in ((1, ["Umbrella"]), (0, [])):
        sheet.get_by_role("listitem").first.get_by_role("button", name=words("Discard")).click()
        page.get_by_role("alertdialog").get_by_role("button", name=words("Discard")).click()
        expect(sheet.get_by_role("listitem")).to_have_count(count)
        expect(waiting_titles(page)).to_have_text(left)
    expect(titles(page)).to_have_text(["Keys"])


def test_rejected_changes_leave_the_list(engine, person, sign_in):
    someone, item, page = with_renamed_item(person, sign_in)
    add_offline(page, "x" * 51)
    waits(page, 2)
    expect(waiting_titles(page)).to_have_text(["x" * 51, "Car keys"])
    # Another device renames it first.
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "House keys"}, expect=200)
    go_online(page)
    is_refused(page, 2)
    expect(titles(page)).to_have_text(["House keys"])
    expect(waiting_titles(page)).to_have_count(0)


def test_filtered_lists_show_no_added_items(engine, person, sign_in):
    someone = person()
    for number in range(9):
        someone.add_item(f"Bag {number}")
    page = with_worker(sign_in(someone))
    prepare(page)
    page.goto("/tracking/items?q=1")
    is_kept(page, "/tracking/items", query="q=1")
    page.goto("/tracking/items")
    go_offline(page)
    add_offline(page, "Umbrella")
    expect(waiting_titles(page)).to_have_text(["Umbrella"])
    page.goto("/tracking/items?q=1")
    expect(titles(page)).to_have_text(["Bag 1"])
