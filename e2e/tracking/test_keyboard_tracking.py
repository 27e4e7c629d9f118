"""Photos, position sources, the map and the history with Tab, Enter and Escape only."""

import re
import time

from playwright.sync_api import expect

from support.items import HOME, METRE, navigation_of, north, tracked
from support.keys import Keyboard, button, row, settled
from support.pages import name_field, png_file, until, words
from support.patience import wait_until


def camera_of(page):
    return page.locator("[data-photo-pick]")


def pick(keys, choice):
    """Opens the camera button's menu and selects a choice."""
    ways = keys.page.locator("dialog.actions[open]")
    keys.opens_and_escapes(camera_of(keys.page), ways)
    keys.enter(camera_of(keys.page))
    expect(ways).to_be_visible()
    keys.enter(ways.get_by_role("button", name=words(choice)))


def pick_and_escape(keys, choice, dialog):
    pick(keys, choice)
    expect(dialog).to_be_visible()
    keys.escape()
    expect(dialog).to_have_count(0)
    expect(camera_of(keys.page)).to_be_focused()


def shown(page):
    """Returns the photo in the form, once it was sent."""
    photo = page.locator("[data-photo-preview] img[src^='/pictures/']")
    expect(photo).to_be_visible()
    expect(camera_of(page)).to_be_focused()
    return photo.get_attribute("src")


def test_photo_is_chosen_and_another_one_taken(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada)
    page.context.grant_permissions(["camera"])
    page.goto("/tracking/items/new")
    settled(page)
    keys = Keyboard(page)
    library = page.locator("dialog.sheet[open]")
    pick_and_escape(keys, "Select from photo library", library)
    pick(keys, "Select from photo library")
    with page.expect_file_chooser() as chooser:
        keys.enter(library.get_by_label("Choose from this phone"))
    chooser.value.set_files(png_file())
    chosen = shown(page)

    camera = page.locator("dialog.camera[open]")
    pick_and_escape(keys, "Take a new photo", camera)
    pick(keys, "Take a new photo")
    shutter = camera.locator("[data-shutter]")
    expect(shutter).to_be_enabled()
    until(page, "() => document.querySelector('video').videoWidth > 0")
    keys.enter(shutter)
    expect(camera.locator("[data-ok]")).to_be_focused()
    keys.enter(camera.locator("[data-retake]"))
    expect(shutter).to_be_focused()
    keys.enter()
    expect(camera.locator("[data-ok]")).to_be_focused()
    keys.enter()
    expect(camera).to_have_count(0)
    expect(page.locator(f"[data-photo-preview] img[src='{chosen}']")).to_have_count(0)
    taken = shown(page)
    keys.type(name_field(page), "Bag").enter()
    expect(page.get_by_role("dialog", name=re.compile("pair a tracker", re.I))).to_be_visible()
    stored = ada.call("GET", "/tracking/items")["items"][0]["pictureId"]
    assert stored in taken and stored not in chosen


def secrets(page):
    expect(page.get_by_text(re.compile("^this is shown only once", re.I))).to_be_visible()
    return page.get_by_role("listitem").filter(has=page.locator(".secret"))


def test_an_app_is_connected_gets_new_secrets_and_is_disconnected(engine, person, sign_in):
    ada = person("Ada")
    bike, car = ada.add_item("Bike"), ada.add_item("Car")
    page = sign_in(ada)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    keys = Keyboard(page)
    page.goto(f"/tracking/items/{bike['id']}/tracker")
    settled(page)
    # The half-typed code would be lost, so a confirmation opens.
    keys.type(page.locator("#pair-form [name=code]"), "K7QF")
    phone = row(page, "Use a phone as tracker")
    keys.enter(phone)
    expect(page.get_by_role("alertdialog")).to_contain_text("Discard")
    keys.escape()
    expect(phone).to_be_focused()
    keys.enter(phone).answer("Discard")
    expect(page).to_have_url(re.compile("/tracking/sources/new"))
    settled(page)
    keys.chooses(page.locator("input[name=kind][value=osmand]"))
    use, unit = page.get_by_label("It reports for"), page.get_by_label("Speed unit")
    expect(use.locator("option:checked")).to_have_text("Item: Bike")
    keys.to(use)
    page.keyboard.type("Item: Car")
    expect(use.locator("option:checked")).to_have_text("Item: Car")
    keys.to(unit)
    page.keyboard.type("Metres")
    expect(unit.locator("option:checked")).to_have_text("Metres a second (OsmAnd)")
    keys.enter(button(page, "Connect"))
    old = secrets(page).first
    keys.enter(old.get_by_role("button"))
    expect(page.locator("[data-toast]", has_text="Copied")).to_be_visible()
    secret = old.locator(".secret").inner_text()
    assert page.evaluate("() => navigator.clipboard.readText()") == secret
    source, = ada.call("GET", "/tracking/sources", expect=200)["items"]
    assert source["itemId"] == car["id"]

    keys.goes(page.get_by_role("link", name=words("Done")), f"/tracking/items/{car['id']}$")
    keys.goes(row(page, "Manage"), "/tracker$")
    keys.goes(row(page, "Phones and apps"), f"/tracking/sources/{source['id']}$")
    keys.confirms(button(page, "New secret"))
    assert secrets(page).first.locator(".secret").inner_text() != secret
    keys.keeps_focus()
    page.goto("/tracking/sources")
    keys.goes(row(page, "(Item: )?Car"), f"/tracking/sources/{source['id']}$")
    keys.confirms(button(page, "Disconnect"))
    expect(page.get_by_text("No app is connected yet.")).to_be_visible()
    settled(page)
    keys.goes(row(page, "Not understood"), "/tracking/quarantine$")


def test_older_positions_are_loaded(engine, tracked, sign_in):
    someone, item, secret = tracked("Bag")
    start = time.time() - 3600
    for number in range(14):
        someone.report(secret, *north(number * 50), at=start + number * 60)
    path = f"/tracking/items/{item['id']}"
    page = sign_in(someone)
    keys = Keyboard(page)
    page.goto(path)
    settled(page)
    older, positions = page.get_by_role("link", name=words("Load older")), page.locator("#positions > li")
    expect(positions).to_have_count(10)
    keys.enter(older)
    expect(positions).to_have_count(14)
    # The focus is at the end of the previous list.
    expect(positions.nth(10)).to_be_focused()
    # The focus stays on the same position during a live update.
    someone.report(secret, *north(900), at=start + 1800)
    expect(positions).to_have_count(15)
    expect(positions.nth(11)).to_be_focused()

    keys.goes(row(page, "All positions"), "/fixes$")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(15)
    with page.expect_download() as download:
        keys.enter(page.locator("main a[download]").first)
    assert download.value.suggested_filename
    page.goto(f"{path}/fixes?limit=5")
    settled(page)
    expect(rows).to_have_count(5)
    keys.enter(older)
    expect(rows).to_have_count(15)
    expect(rows.nth(5)).to_be_focused()
    expect(older).to_have_count(0)


def test_a_row_of_the_history_opens_its_mark_on_the_map(engine, tracked, sign_in):
    someone, item, secret = tracked("Bag")
    start = time.time() - 3600
    for number in range(5):
        # The last two markers have the same position. Only the chosen one of them can be identified.
        someone.report(secret, *north(min(number, 3) * 400), at=start + number * 60, accuracy=number + 5)
    page = sign_in(someone)
    keys = Keyboard(page)
    page.goto(f"/tracking/items/{item['id']}")
    settled(page)
    marks, popup = page.locator(".map [data-marker-at]"), page.locator(".map .leaflet-popup")
    expect(marks).to_have_count(5)
    shows = page.locator("#positions").get_by_role("button", name=re.compile("^show on the map", re.I))
    expect(shows).to_have_count(5)
    for index, accuracy in ((4, 5), (1, 8), (0, 9)):
        row_time = page.locator("#positions > li").nth(index).locator("time").first.inner_text()
        assert shows.nth(index).evaluate(
            "one => one.getAttribute('aria-labelledby').split(' ').at(-1)") == page.locator(
            "#positions > li").nth(index).locator("time").first.get_attribute("id")
        keys.enter(shows.nth(index))
        mark = page.locator(".map [data-marker-at]:focus")
        # The marker's role and name for screen readers.
        expect(mark).to_have_role("button")
        expect(mark).to_have_accessible_name(re.compile(rf"{re.escape(row_time)} · ±{accuracy}\sm$"))
        expect(mark).to_have_class(re.compile(r"\bis-chosen\b"))
        expect(popup).to_contain_text(f"±{accuracy}")
        keys.shows_focus()
        page.keyboard.press("Escape")
        expect(shows.nth(index)).to_be_focused()
        keys.shows_focus()
    # A new position doesn't move the focus.
    row = page.locator("#positions > li").first.get_attribute("id")
    someone.report(secret, *north(2000), at=start + 1800)
    expect(shows).to_have_count(6)
    expect(page.locator(f"#{row} [data-show-fix]")).to_be_focused()


def test_history_has_no_dead_buttons_without_scripts(engine, tracked, sign_in):
    someone, item, _ = tracked("Bag", 5)
    page = sign_in(someone, java_script_enabled=False)
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.locator("#positions > li")).to_have_count(1)
    expect(page.locator("#positions").get_by_role("button")).to_have_count(0)


def test_map_markers_open_and_navigation_starts(engine, tracked, sign_in):
    someone, item, secret = tracked("Bag")
    start = time.time() - 3600
    for number in range(3):
        someone.report(secret, *north(number * 200), at=start + number * 60)
    page = sign_in(someone)
    keys = Keyboard(page)
    page.goto(f"/tracking/items/{item['id']}")
    settled(page)
    marks, popup = page.locator("[data-marker-at]"), page.locator(".leaflet-popup")
    newest = page.locator("[data-newest=true]")
    expect(marks).to_have_count(3)
    keys.enter(newest)
    expect(popup).to_contain_text("Newest")
    keys.escape()
    expect(popup).to_have_count(0)
    expect(newest).to_be_focused()
    # The map is redrawn with another newest position.
    before = newest.get_attribute("data-marker-at")
    someone.report(secret, HOME[0] + 700 * METRE, HOME[1], at=start + 600)
    expect(marks).to_have_count(4)
    expect(newest).not_to_have_attribute("data-marker-at", before)
    expect(page.locator(f"[data-marker-at='{before}']")).to_be_focused()
    zoom = page.locator(".leaflet-control-zoom-in")
    keys.enter(zoom)
    expect(zoom).to_be_focused()

    navigate = page.get_by_role("main").get_by_role("link", name=words("Navigate"))
    sheet = page.locator("dialog#maps")
    keys.opens_and_escapes(navigate, sheet)
    sent = navigation_of(page)
    keys.enter(navigate)
    expect(sheet).to_be_visible()
    keys.enter(sheet.get_by_role("button", name=words("Google Maps")))
    wait_until(lambda: sent, 10, "no app for maps was opened", pause=lambda: page.wait_for_timeout(20))
    assert "google.com/maps/dir" in sent[0]
    assert someone.call("GET", "/account", expect=200)["mapsApp"] == "google"


def test_list_beside_the_details_is_reachable_on_a_wide_screen(engine, person, sign_in):
    ada = person("Ada")
    keys_item, bag = ada.add_item("Keys"), ada.add_item("Bag")
    page = sign_in(ada, viewport={"width": 1100, "height": 800}, is_mobile=False, has_touch=False)
    keys = Keyboard(page)
    page.goto(f"/tracking/items/{keys_item['id']}")
    pane = page.locator("[data-pane-list]")
    keys.goes(pane.get_by_role("link", name=words("Bag")), f"/tracking/items/{bag['id']}$")
    expect(pane.locator("[aria-current=page]").first).to_be_attached()
    keys.goes(page.get_by_role("link", name=words("Edit")), "/edit$")
    delete, sheet = page.get_by_role("main").get_by_role("link", name=words("Delete")), page.locator("dialog#delete")
    keys.opens_and_escapes(delete, sheet)
    keys.type(page.locator("#name"), "Grey bag").enter()
    expect(page).to_have_url(re.compile(f"/tracking/items/{bag['id']}$"))
    expect(pane.get_by_role("link", name=words("Grey bag"))).to_be_visible()
