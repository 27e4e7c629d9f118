"""Offline: a rejected pending change is reported, and its input is kept."""

import pytest
from playwright.sync_api import expect

from support.offline import (
    add_offline,
    go_offline,
    go_online,
    is_refused,
    names,
    open_again,
    open_waiting,
    rename_offline,
    save_and_leave,
    see,
    waits,
    with_worker,
)
from support.pages import open_advanced, save, words

pytestmark = pytest.mark.service_worker

# The page that is left after a save must not interrupt the deletion.
SLOW_DISCARD = """() => {
  const { discard } = homewardQueue;
  homewardQueue.discard = async (id) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await discard(id);
  };
}"""


def test_conflict_is_reported_and_the_reopened_form_restores_its_changed_fields(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    page = with_worker(sign_in(someone))
    see(page, path)
    see(page, f"{path}/edit")
    go_offline(page)
    open_advanced(page)
    page.locator("#item-form [name='settings.lostMetres']").fill("40")
    save_and_leave(page)
    waits(page, 1)
    someone.call("PATCH", path, {"name": "Mia's keys"}, expect=200)
    go_online(page)
    is_refused(page, 1)
    stored = someone.call("GET", path, expect=200)
    assert (stored["name"], stored["settings"]["lostMetres"]) == ("Mia's keys", item["settings"]["lostMetres"])
    sheet = open_waiting(page)
    expect(sheet).to_contain_text("These weren’t accepted.")
    row = sheet.get_by_role("listitem")
    expect(row).to_contain_text("this was changed elsewhere")
    open_again(row)
    expect(page.locator("#item-form [name='settings.lostMetres']")).to_have_value("40")
    expect(page.locator("#item-form [name=name]")).to_have_value("Mia's keys")
    # Rejected again for a field, it is still the same change.
    page.locator("#item-form [name=name]").fill("")
    save(page)
    expect(page.locator("#item-form [name=name]")).to_have_attribute("aria-invalid", "true")
    page.locator("#item-form [name=name]").fill("Mia's keys")
    page.evaluate(SLOW_DISCARD)
    save(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Mia's keys")
    waits(page, 0)
    stored = someone.call("GET", path, expect=200)
    assert (stored["name"], stored["settings"]["lostMetres"]) == ("Mia's keys", 40)


def test_change_of_a_deleted_item_is_reported_and_can_be_discarded(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}/edit")
    see(page, "/tracking/items/new")
    go_offline(page)
    rename_offline(page, item, "Car keys")
    waits(page, 1)
    add_offline(page, "Umbrella")
    waits(page, 2)
    someone.call("DELETE", f"/tracking/items/{item['id']}", expect=204)
    go_online(page)
    # A rejected change doesn't block others.
    is_refused(page, 1)
    assert names(someone) == ["Umbrella"]
    row = open_waiting(page).get_by_role("listitem")
    expect(row).to_contain_text("no longer there")
    row.get_by_role("button", name=words("Discard")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Discard")).click()
    waits(page, 0)
