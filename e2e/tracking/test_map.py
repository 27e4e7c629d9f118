"""The map on the details page: its initial view, following, and messages, and details without a phone position."""

import re
import time
from functools import partial

import pytest
from playwright.sync_api import expect

from support.items import HOME, METRE, north, tracked
from support.pages import png, until
from support.patience import wait_until
from support.server import Person

TILE = png(width=256, height=256, color=(210, 220, 200))
# A phone with a known position that has not been asked for permission yet.
UNASKED = """([latitude, longitude]) => {
  navigator.permissions.query = async () => new EventTarget();
  navigator.geolocation.watchPosition = (arrived) => {
    setTimeout(() => arrived({ coords: { latitude, longitude, accuracy: 5 }, timestamp: Date.now() }));
    return 1;
  };
}"""


def east(metres):
    """Returns the longitude that many metres east of home."""
    return HOME[1] + metres * METRE / 0.6325


def details(page, item):
    page.goto(f"/tracking/items/{item['id']}")
    page.locator(".map [data-newest=true]").wait_for()


def middle(mark):
    """Returns a marker's position on the map. The map may move on the page when a line above it changes."""
    return tuple(mark.evaluate("""(mark) => {
      const box = mark.getBoundingClientRect(), frame = mark.closest('.map').getBoundingClientRect();
      return [box.x + box.width / 2 - frame.x, box.y + box.height / 2 - frame.y];
    }"""))


def is_inside(point, box):
    return box["x"] <= point[0] <= box["x"] + box["width"] and box["y"] <= point[1] <= box["y"] + box["height"]


def drag(page, right, down):
    # A point without a marker.
    box = page.locator("#map").bounding_box()
    start = box["x"] + 40, box["y"] + 40
    page.mouse.move(*start)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(start[0] + right * step / 5, start[1] + down * step / 5)
    # A pause before the release prevents inertia of the map.
    page.wait_for_timeout(120)
    page.mouse.up()


def recentre(page):
    return page.get_by_role("button", name="Centre the map again")


@pytest.mark.spec("T-3-3-3")
def test_map_opens_at_its_positions_without_loading_the_whole_world(tracked, sign_in, engine):
    someone, item, _ = tracked("Bag", 40)
    page = sign_in(someone)
    tiles = []
    page.route("**/no-tiles/**", lambda route: (tiles.append(route.request.url),
                                                route.fulfill(body=TILE, content_type="image/png")))
    details(page, item)
    wait_until(lambda: tiles, pause=lambda: page.wait_for_timeout(20))
    expect(page.locator(".leaflet-tile-loaded").first).to_be_attached()
    zooms = {int(re.search(r"/no-tiles/(\d+)/", url)[1]) for url in tiles}
    assert len(zooms) == 1 and min(zooms) >= 15, zooms


@pytest.mark.spec("T-3-3-3")
def test_moved_map_does_not_follow_until_it_is_centred_again(tracked, sign_in, engine):
    someone, item, secret = tracked("Bag")
    someone.report(secret, *north(0), at=time.time() - 300)
    page = sign_in(someone)
    details(page, item)
    expect(recentre(page)).to_have_count(0)
    drag(page, 60, 90)
    expect(recentre(page)).to_be_visible()
    newest = page.locator(".map [data-newest=true]")
    first = newest.get_attribute("data-marker-at")
    before = middle(newest)
    # Far outside the visible map.
    someone.report(secret, *north(900), at=time.time() - 200)
    moved = page.locator(f".map [data-marker-at='{first}']")
    expect(moved).to_have_attribute("data-newest", "false")
    assert middle(moved) == pytest.approx(before, abs=1)
    recentre(page).click()
    expect(recentre(page)).to_have_count(0)
    frame = {"x": 0, "y": 0, **page.evaluate(
        "() => { const { width, height } = map.getBoundingClientRect(); return { width, height }; }")}
    assert is_inside(middle(newest), frame)
    # The map follows again.
    someone.report(secret, *north(2_000), at=time.time() - 100)
    until(page, "() => document.querySelector('#map').dataset.count === '3'")
    assert is_inside(middle(newest), frame)


@pytest.mark.spec("T-3-3-3")
def test_zooming_in_keeps_the_item_in_view(tracked, sign_in, engine):
    someone, item, _ = tracked("Bag", 800)
    # The map starts with both positions in view, the item at its border.
    page = sign_in(someone, permissions=["geolocation"],
                   geolocation={"latitude": HOME[0], "longitude": HOME[1], "accuracy": 5})
    for way in ("button", "key"):
        details(page, item)
        newest = page.locator(".map [data-newest=true]")
        expect(page.locator(".map-mark-me")).to_be_visible()
        # The message about missing tiles covers the item's first place, so the map moves when it appears.
        expect(page.locator(".map-trouble")).not_to_be_empty()
        zoom = page.locator(".leaflet-control-zoom-in")
        if way == "key":
            page.locator("#map").focus()
        # The page scrolls when the map gets the focus or the button is scrolled into view.
        zoom.scroll_into_view_if_needed()
        place = middle(newest)
        for _ in range(3):
            scale = page.locator(".leaflet-control-scale-line").inner_text()
            if way == "button":
                zoom.click()
            else:
                page.keyboard.press("+")
            expect(page.locator(".leaflet-control-scale-line")).not_to_have_text(scale)
            until(page, "() => !document.querySelector('.leaflet-zoom-anim')")
            assert middle(newest) == pytest.approx(place, abs=2)


@pytest.mark.spec("T-3-3-3")
def test_own_position_is_never_covered_by_a_control(tracked, sign_in, engine):
    someone, item, _ = tracked("Bag", 0)
    page = sign_in(someone, permissions=["geolocation"], viewport={"width": 320, "height": 740})
    for up, right in ((60, 60), (60, -60), (-60, 60), (-60, -60)):
        page.context.set_geolocation({"latitude": north(up)[0], "longitude": east(right), "accuracy": 5})
        details(page, item)
        expect(page.locator(".map-mark-me")).to_be_visible()
        # The message about missing tiles takes room, too.
        expect(page.locator(".map-trouble")).not_to_be_empty()
        # All at once: a position that arrives replaces the marks, and may move the map.
        selectors = ["#map", "#map .map-mark-me", "#map [data-newest=true]", "#map .leaflet-control"]
        [frame], [me], [newest], controls = page.evaluate("""(selectors) => selectors.map((selector) =>
          [...document.querySelectorAll(selector)]
            .map((one) => one.getBoundingClientRect().toJSON())
            .filter(({ width, height }) => width && height))""", selectors)
        assert len(controls) >= 3
        for mark in (me, newest):
            assert is_inside((mark["x"], mark["y"]), frame)
            assert is_inside((mark["x"] + mark["width"], mark["y"] + mark["height"]), frame)
            for box in controls:
                assert (mark["x"] + mark["width"] <= box["x"] or box["x"] + box["width"] <= mark["x"]
                        or mark["y"] + mark["height"] <= box["y"] or box["y"] + box["height"] <= mark["y"]), (mark, box)


@pytest.mark.spec("T-3-3-3")
def test_positions_on_both_sides_of_the_antimeridian_are_beside_each_other(tracked, sign_in, engine):
    someone, item, secret = tracked("Boat")
    for index, longitude in enumerate((179.997, 179.999, -179.999, -179.997)):
        someone.report(secret, -17.0, longitude, at=time.time() - 400 + 100 * index)
    page = sign_in(someone)
    details(page, item)
    expect(page.locator("#map")).to_have_attribute("data-count", "4")
    width, marks, line = page.evaluate("""() => [
      map.clientWidth,
      [...map.querySelectorAll('[data-marker-at]')].map((mark) => mark.getBoundingClientRect().x),
      map.querySelector('path.map-track').getBBox().width,
    ]""")
    assert 20 < max(marks) - min(marks) < width, marks
    # The line includes no jump around the globe; its copies a turn away are outside the drawn area.
    assert 20 < line < width, line


def test_missing_tiles_are_reported_until_they_load(tracked, sign_in, engine):
    someone, item, _ = tracked("Bag", 40)
    page = sign_in(someone)
    details(page, item)
    note = page.get_by_role("status").filter(has_text="The map background can’t be loaded.")
    expect(note).to_be_visible()
    page.route("**/no-tiles/**", lambda route: route.fulfill(body=TILE, content_type="image/png"))
    page.locator(".leaflet-control-zoom-out").click()
    expect(note).to_have_count(0)


def serve(tiles, route):
    tiles.append(route.request.url)
    route.fulfill(body=TILE, content_type="image/png")


def test_high_resolution_tiles_are_requested_when_available(own_server, sign_in):
    server = own_server(environment={"HOMEWARD_TILES_URL": "/fine-tiles/{z}/{x}/{y}{r}.png"})
    someone = Person(server, "Ada")
    item = someone.add_item("Bag")
    someone.report(someone.add_osmand_tracker(item), *HOME)
    for density, ending in ((1, ""), (2, "@2x")):
        page = sign_in(someone, device_scale_factor=density)
        tiles = []
        page.route("**/fine-tiles/**", partial(serve, tiles))
        details(page, item)
        wait_until(lambda tiles=tiles: tiles, pause=lambda page=page: page.wait_for_timeout(20))
        assert all(re.search(rf"/\d+/\d+/\d+{ending}\.png$", url) for url in tiles), tiles


@pytest.mark.spec("T-3-3-1")
def test_details_without_a_phone_position_say_why_and_offer_to_use_it(person, sign_in, engine):
    someone = person()
    item = someone.add_item("Bag")
    someone.report(someone.add_osmand_tracker(item), *north(120))
    page = sign_in(someone)
    page.add_init_script(f"({UNASKED})({list(HOME)})")
    details(page, item)
    why = page.get_by_text("Your position isn’t known, so the distance can’t be told.")
    expect(why).to_be_visible()
    use = page.get_by_role("button", name="Use my position")
    expect(use).to_be_visible()
    use.click()
    expect(page.locator(".hero-distance")).to_contain_text("120 m")
    expect(why).to_have_count(0)
    expect(use).to_be_hidden()
    # With a known position the page doesn't ask.
    page.reload()
    expect(page.locator(".hero-distance")).to_contain_text("120 m")
    expect(use).to_be_hidden()


def test_plus_and_bell_stay_beside_an_open_item(tracked, sign_in, engine):
    someone, item, _ = tracked("Bag", 40)
    page = sign_in(someone, is_mobile=False)
    for size in ({"width": 1280, "height": 800}, {"width": 768, "height": 1024}):
        page.set_viewport_size(size)
        details(page, item)
        pane = page.get_by_role("complementary", name="Items")
        bell, plus = pane.get_by_role("link", name="Notifications"), pane.get_by_role("link", name="Add item")
        expect(bell).to_be_in_viewport(ratio=1)
        expect(plus).to_be_in_viewport(ratio=1)
        plus.click()
        expect(page.get_by_role("heading", name="Add item")).to_be_visible()


def test_hidden_list_beside_the_details_requests_nothing_on_a_phone(tracked, sign_in, engine):
    someone, item, _ = tracked("Bag", 40)
    page = sign_in(someone)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    # The visible parts are fetched at once when the stream opens.
    with page.expect_response(lambda answer: answer.url.endswith(item["id"]) and answer.request.resource_type == "xhr"):
        details(page, item)
    assert not [url for url in asked if url.endswith("/notifications/bell")]
