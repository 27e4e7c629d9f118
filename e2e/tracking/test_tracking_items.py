"""The list, details, navigation, editing and deleting: T-3-1-1 to T-3-6-2."""

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from support.items import HOME, delete_in_page, edit_field, navigation_of, north, open_edit, tracked, upload
from support.pages import (
    FIVE_SECONDS,
    border_colors,
    card,
    is_red,
    open_list,
    png_file,
    save,
    until,
    words,
)
from support.patience import wait_until


@pytest.mark.spec("T-3-1-1", "T-3-1-2")
def test_list_is_shown_after_sign_in(engine, server, person, phone):
    someone = person()
    picture = upload(someone)
    someone.add_item("Keys", pictureId=picture)
    someone.add_item("Bag")
    page = phone(server)
    page.goto("/tracking/items")
    page.get_by_label(re.compile("email", re.I)).fill(someone.email)
    page.get_by_label(re.compile("^password", re.I)).fill(someone.password)
    page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible(timeout=FIVE_SECONDS)
    for name in ("Keys", "Bag"):
        expect(card(page, name)).to_be_visible(timeout=FIVE_SECONDS)
        expect(card(page, name).get_by_role("switch")).to_be_visible()
    image = card(page, "Keys").locator("img")
    expect(image).to_be_visible()
    assert image.evaluate("async image => (await image.decode(), image.naturalWidth)") > 0
    assert picture in image.get_attribute("src")


@pytest.mark.spec("T-3-1-4")
@pytest.mark.parametrize("metres, lost", [(4.9, False), (5.1, True)])
def test_item_farther_than_five_metres_is_lost(engine, server, tracked, sign_in, metres, lost):
    someone, _, _ = tracked("Bag", metres)
    page = sign_in(someone)
    open_list(page)
    box = card(page, "Bag")
    expect(box).to_be_visible()
    said = box.get_by_text(words("Lost"))
    if lost:
        expect(said).to_be_visible()
    else:
        expect(said).to_have_count(0)
    target = box.locator(".is-lost") if box.locator(".is-lost").count() else box
    red = all(width != "0px" and is_red(color) for width, color in border_colors(target))
    assert red == lost


@pytest.mark.spec("T-3-1-4")
def test_list_updates_live_with_positions_and_settings(engine, server, tracked, sign_in):
    someone, item, secret = tracked("Bag", 2)
    page = sign_in(someone)
    open_list(page)
    lost = card(page, "Bag").get_by_text(words("Lost"))
    expect(lost).to_have_count(0)
    someone.report(secret, *north(40), at=time.time() + 5)
    expect(lost).to_be_visible()
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"settings": {"lostMetres": 100}}, expect=200)
    expect(lost).to_have_count(0)
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"settings": {"lostMetres": None}}, expect=200)
    expect(lost).to_be_visible()
    someone.is_at(*north(38))
    expect(lost).to_have_count(0)


@pytest.mark.engines
@pytest.mark.spec("T-3-3-1")
def test_details_show_name_map_and_positions(engine, server, tracked, sign_in):
    someone, item, secret = tracked("Bag")
    for minute in range(3):
        someone.report(secret, *north(minute * 30), at=time.time() - 600 + minute * 60, batt=80 - minute)
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.get_by_role("heading", name="Bag", level=1)).to_be_visible(timeout=FIVE_SECONDS)
    expect(page.locator(".leaflet-container")).to_be_visible(timeout=FIVE_SECONDS)
    expect(page.locator("[data-fix-id]")).to_have_count(3, timeout=FIVE_SECONDS)
    assert "78" in page.locator("[data-fix-id]").first.inner_text(), "newest first, with its battery"


@pytest.mark.spec("T-3-3-2")
def test_photo_opens_details_and_back_restores_the_scroll_position(engine, server, person, sign_in):
    someone = person()
    for number in range(30):
        someone.add_item(f"Thing {number:02}")
    page = sign_in(someone)
    open_list(page)
    names = page.get_by_role("listitem").all_inner_texts()
    assert len(names) >= 30
    target = card(page, "Thing 03") if "Thing 29" in names[0] else card(page, "Thing 26")
    target.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 300
    target.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=re.compile(r"^Thing \d\d$"), level=1)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_attached()
    until(page, "before => Math.abs(scrollY - before) < 60", before)


@pytest.mark.spec("T-3-3-3")
def test_map_shows_the_latest_ten_positions_correctly(engine, server, tracked, sign_in):
    someone, item, secret = tracked("Bag")
    start = time.time() - 3600
    for number in range(14):
        someone.report(secret, *north(number * 50), at=start + number * 60)
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}")
    markers = page.locator(".leaflet-container [data-marker-at]")
    expect(markers).to_have_count(10)
    shown = markers.evaluate_all(
        "all => all.map(one => { const box = one.getBoundingClientRect();"
        " return {at: one.dataset.markerAt, newest: one.dataset.newest === 'true',"
        " x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width}; })")
    assert min(marker["size"] for marker in shown) >= 44, "a thumb can tap each of them"
    shown.sort(key=lambda marker: marker["at"])
    assert [marker["newest"] for marker in shown] == [False] * 9 + [True]
    # Each is 50 m north of the previous one: the same step up the screen and no step to the side.
    steps = [first["y"] - second["y"] for first, second in pairwise(shown)]
    assert min(steps) > 0 and max(steps) - min(steps) <= 2.5, steps
    assert max(marker["x"] for marker in shown) - min(marker["x"] for marker in shown) <= 2
    expect(page.locator("[data-fix-id]")).to_have_count(10)
    page.get_by_role("button", name=re.compile("older", re.I)).or_(
        page.get_by_role("link", name=re.compile("older", re.I))).first.click()
    expect(page.locator("[data-fix-id]")).to_have_count(14)


@pytest.mark.spec("T-3-3-3")
def test_markers_are_placed_correctly_when_the_map_stylesheet_is_late(tracked, sign_in):
    someone, item, secret = tracked("Bag")
    someone.report(secret, *HOME)
    page = sign_in(someone)
    held = []
    page.route("**/leaflet.css", lambda route: held.append(route))
    page.goto(f"/tracking/items/{item['id']}", wait_until="commit")
    until(page, "() => 'L' in window")
    wait_until(lambda: held, pause=lambda: page.wait_for_timeout(20))
    # Long enough for the positions to arrive.
    page.wait_for_timeout(500)
    marker = page.locator(".map [data-marker-at]")
    expect(marker).to_have_count(0)
    held[0].continue_()
    expect(marker).to_have_css("position", "absolute")


@pytest.mark.spec("T-3-4-1", "T-3-4-2")
def test_navigate_opens_the_chosen_maps_app(engine, server, tracked, sign_in):
    someone, item, secret = tracked("Bag", 1500)
    page = sign_in(someone)
    sent = navigation_of(page)
    page.goto(f"/tracking/items/{item['id']}")
    name = words("Navigate")
    page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first.click()
    page.get_by_role("dialog").get_by_text(words("Apple Maps")).click()

    def place():
        fix = someone.call("GET", f"/tracking/items/{item['id']}")["lastFix"]
        return fix["latitude"], fix["longitude"]

    def arrives(pattern):
        wanted = re.compile(re.escape(pattern).replace(r"\{0\}", r"(-?[\d.]+)").replace(r"\{1\}", r"(-?[\d.]+)"))
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            matches = [match for match in map(wanted.fullmatch, sent) if match]
            if matches:
                latitude, longitude = map(float, matches[-1].groups())
                assert (latitude, longitude) == pytest.approx(place(), abs=1e-6)
                return
            page.wait_for_timeout(50)
        raise AssertionError(f"{pattern} was not opened; {sent}")

    arrives("https://maps.apple.com/?daddr={0},{1}&dirflg=w")
    # The choice is remembered. Over a long distance it opens transit directions.
    someone.report(secret, *north(2100), at=time.time() + 30)
    page = sign_in(someone)
    sent = navigation_of(page)
    page.goto(f"/tracking/items/{item['id']}")
    page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first.click()
    arrives("https://maps.apple.com/?daddr={0},{1}&dirflg=r")


@pytest.mark.spec("T-3-3-1", "T-3-5-1")
def test_edit_shows_the_name_and_stores_a_new_one(engine, server, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.get_by_text("No position yet").first).to_be_visible()
    navigate = page.get_by_role("button", name=words("Navigate"))
    expect(navigate).to_be_disabled()
    pair = page.get_by_role("link", name="Pair a tracker")
    expect(pair).to_be_in_viewport(ratio=1)
    assert pair.bounding_box()["y"] < navigate.bounding_box()["y"], "what leads on comes first"
    page.get_by_role("link", name=words("Edit")).click()
    expect(edit_field(page)).to_have_value("Keys")
    expect(page.get_by_role("button", name=words("Save"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^delete", re.I)).or_(
        page.get_by_role("link", name=re.compile("^delete", re.I))).first).to_be_visible()
    edit_field(page).fill("House keys")
    save(page)
    expect(page.get_by_role("heading", name="House keys").first).to_be_visible()
    assert someone.call("GET", f"/tracking/items/{item['id']}")["name"] == "House keys"
    # Leaving without Save changes nothing.
    open_edit(page, item)
    edit_field(page).fill("Something else")
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("/tracking/items")
    expect(card(page, "House keys")).to_be_visible()
    assert someone.call("GET", f"/tracking/items/{item['id']}")["name"] == "House keys"


@pytest.mark.spec("T-3-5-2")
def test_a_new_photo_in_edit_is_stored_with_save(engine, server, person, sign_in):
    someone = person()
    item = someone.add_item("Keys", pictureId=upload(someone))
    page = sign_in(someone)
    open_edit(page, item)
    page.get_by_role("button", name=re.compile("photo|camera", re.I)).first.click()
    sheet = page.get_by_role("dialog").filter(has=page.get_by_text(words("Take a new photo")))
    sheet.get_by_text(words("Select from photo library")).click()
    library = page.get_by_role("dialog").filter(has=page.locator("input[type=file]"))
    with page.expect_response(lambda answer: answer.url.endswith("/pictures")
                              and answer.request.method == "POST") as sent:
        library.locator("input[type=file]").set_input_files(png_file(color=(20, 200, 60)))
    new = sent.value.json()["id"]
    assert someone.call("GET", f"/tracking/items/{item['id']}")["pictureId"] == item["pictureId"], "not before Save"
    expect(page.locator(f"[data-photo-preview] img[src*='{new}']")).to_be_visible()
    save(page)
    expect(page.get_by_role("heading", name="Keys").first).to_be_visible()
    assert someone.call("GET", f"/tracking/items/{item['id']}")["pictureId"] == new


def test_ages_of_live_positions_keep_updating(engine, tracked, sign_in):
    someone, item, secret = tracked("Bag")
    now = time.time()
    someone.report(secret, *north(20), at=now - 150)
    page = sign_in(someone)
    page.clock.install(time=now)
    page.goto(f"/tracking/items/{item['id']}")
    rows, ages = page.locator("[data-fix-id]"), page.locator("[data-fix-id] time[data-relative]")
    expect(ages).to_have_text(["2 min ago"])
    for count, (metres, seconds) in enumerate([(30, 75), (40, 0)], start=2):
        someone.report(secret, *north(metres), at=now - seconds)
        expect(rows).to_have_count(count)
    expect(ages.first).to_have_text("now")
    page.clock.fast_forward("02:00")
    written = [text.replace("\u00a0", " ") for text in ages.all_inner_texts()]
    assert written == ["2 min ago", "3 min ago", "4 min ago"], written
    someone.report(secret, *north(50), at=time.time())
    expect(rows).to_have_count(4)
    assert "now" not in ages.all_inner_texts()[1:]


@pytest.mark.spec("T-3-6-1", "T-3-6-2")
def test_delete_asks_once_and_removes_everything(engine, server, tracked, sign_in):
    someone, item, secret = tracked("Bag", 20)
    picture = upload(someone)
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"pictureId": picture}, expect=200)
    page = sign_in(someone)
    dialog = delete_in_page(page, item)
    dialog.get_by_role("button", name=words("Cancel")).click()
    expect(dialog).to_be_hidden()
    assert someone.call("GET", f"/tracking/items/{item['id']}")["name"] == "Bag", "asking deletes nothing"
    page.get_by_role("main").get_by_role("link", name=re.compile("^delete", re.I)).click()
    dialog.get_by_role("button", name=re.compile("^delete", re.I)).click()
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    expect(card(page, "Bag")).to_have_count(0)
    someone.call("GET", f"/tracking/items/{item['id']}", expect=404)
    someone.call("GET", f"/tracking/items/{item['id']}/fixes", expect=404)
    someone.call("GET", f"/pictures/{picture}", expect=404)
    assert someone.call("GET", "/pictures")["items"] == []
    assert someone.call("GET", "/tracking/sources")["items"] == []
    status, _, _ = server.request("GET", f"/ingest/osmand?id={secret}&lat=50&lon=6&timestamp={int(time.time())}")
    assert status == 400, "its tracker is unknown now"
    if engine == "sqlite":
        stored = [path.name for path in (server.folder / "data").rglob("*") if path.is_file()]
        assert not [name for name in stored if picture in name], "the picture's files are gone too"
        assert server.tables_naming(item["id"], picture) == []
