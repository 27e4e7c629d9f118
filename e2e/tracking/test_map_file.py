"""The background of maps: a map file of the server, none, and the demo's invented town."""

import re

import pytest
from playwright.sync_api import expect

from support.demo import running_demo
from support.items import HOME, north
from support.map_files import write_mbtiles
from support.pages import sign_in_by_form, until, words
from support.patience import wait_until
from support.server import Person, Server

# Whether each loaded tile is green in its middle.
COLOURS = """() => [...document.querySelectorAll('.leaflet-tile-loaded')].map((tile) => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  context.drawImage(tile, tile.naturalWidth / 2, tile.naturalHeight / 2, 1, 1, 0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].join();
})"""


@pytest.fixture(scope="module")
def mapped(tmp_path_factory):
    """A server with a map file, and one without tiles."""
    file = tmp_path_factory.mktemp("map") / "home.mbtiles"
    write_mbtiles(file, HOME)
    server = Server(environment={"HOMEWARD_TILES_URL": "", "HOMEWARD_MAP_FILE": str(file)}).start()
    yield server
    server.close()


def owner(server, *metres, name="Ada"):
    """A person with an item at each of these distances."""
    someone = Person(server, name)
    items = []
    for number, distance in enumerate(metres):
        item = someone.add_item(f"Item {number + 1}")
        someone.report(someone.add_osmand_tracker(item), *north(distance))
        items.append(item)
    return someone, items


def requests_of(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


@pytest.mark.spec("T-6-6-6")
def test_map_shows_tiles_of_the_servers_file_and_requests_nothing_elsewhere(mapped, sign_in):
    someone, [item] = owner(mapped, 30)
    page = sign_in(someone)
    asked = requests_of(page)
    page.goto(f"/tracking/items/{item['id']}")
    page.locator(".map [data-newest=true]").wait_for()
    expect(page.locator(".leaflet-tile-loaded").first).to_be_visible()
    tiles = [re.search(r"/map/tiles/(\d+)/(\d+)/(\d+)\?v=\w{12}$", url) for url in asked if "/tiles/" in url]
    # The map is at zoom 17; the file ends at 14.
    assert tiles and {int(tile[1]) for tile in tiles} == {14}
    assert all(url.startswith(mapped.url) for url in asked), asked
    assert set(page.evaluate(COLOURS)) == {"120,190,120,255"}
    expect(page.locator(".map-trouble")).to_be_empty()
    credit = page.get_by_role("link", name="Test map")
    expect(credit).to_have_attribute("href", "https://map.example")
    # From the whole world, where the file has no tiles, nothing is requested and nothing is missing.
    page.goto("/tracking/map")
    expect(page.locator("#all-map")).to_have_attribute("data-count", "1")
    before = len([url for url in asked if "/tiles/" in url])
    out = page.locator(".leaflet-control-zoom-out")
    while "leaflet-disabled" not in out.get_attribute("class"):
        out.click(modifiers=["Shift"])
        until(page, "() => !document.querySelector('.leaflet-zoom-anim')")
    low = [url for url in asked if "/tiles/" in url][before:]
    assert all(int(re.search(r"/tiles/(\d+)/", url)[1]) >= 10 for url in low)
    expect(page.locator(".map-trouble")).to_be_empty()


@pytest.mark.spec("T-6-6-2")
def test_items_at_the_same_place_are_moved_apart(mapped, sign_in):
    someone, items = owner(mapped, 0, 0, 1, 400)
    page = sign_in(someone)
    page.goto("/tracking/map")
    expect(page.locator("#all-map")).to_have_attribute("data-count", "4")
    # All at once, as marks are replaced when a position arrives.
    marks = page.locator("[data-map-item]").evaluate_all("""(all) => all.map((mark) => {
      const { x, y } = mark.getBoundingClientRect();
      return { x, y };
    })""")
    assert len(marks) == len(items)
    for index, one in enumerate(marks):
        for other in marks[:index]:
            apart = max(abs(one["x"] - other["x"]), abs(one["y"] - other["y"]))
            assert apart > 30, (one, other)
    expect(page.locator(".map-name").first).to_be_visible()
    page.locator(f"[data-map-item='{items[1]['id']}']").click()
    expect(page).to_have_url(re.compile(f"/tracking/items/{items[1]['id']}$"))


@pytest.mark.spec("T-6-6-2")
def test_many_items_at_one_place_are_one_mark_that_zooms_in(mapped, sign_in):
    someone, _ = owner(mapped, *range(0, 45, 5), 3_000)
    page = sign_in(someone)
    page.goto("/tracking/map")
    expect(page.locator("#all-map")).to_have_attribute("data-count", "10")
    group = page.get_by_role("button", name="9 marks are here. Zoom in.")
    expect(group).to_have_text("9")
    group.focus()
    page.keyboard.press("Enter")
    expect(group).to_have_count(0)


@pytest.mark.spec("T-6-3-1")
def test_drawing_an_outline_says_so_and_escape_cancels_it(mapped, sign_in):
    someone, _ = owner(mapped)
    page = sign_in(someone)
    page.goto("/tracking/safe-places/new")
    page.get_by_label("Latitude").fill("-17.0")
    page.get_by_label("Longitude").fill("179.9999")
    plan = page.get_by_role("region", name="Map of the safe place")
    expect(plan).to_have_attribute("data-has-place", "true")
    page.get_by_text(words("Outline")).click()
    page.get_by_role("button", name="Draw on the map").click()
    banner = page.get_by_role("group", name="Draw the outline")
    expect(banner).to_contain_text("Tap the map to add corners.")
    expect(banner).to_contain_text("Corners: 0")
    expect(banner.get_by_role("button", name="Done")).to_be_disabled()
    # The banner is above the map, which stays visible as a whole.
    bottom, top = page.evaluate(
        "() => [document.querySelector('.map-drawing').getBoundingClientRect().bottom,"
        " document.querySelector('#place-map').getBoundingClientRect().top]")
    assert bottom <= top
    box = plan.bounding_box()

    def tap(east, south):
        plan.click(position={"x": box["width"] / 2 + east, "y": box["height"] / 2 + south})

    tap(-60, -20)
    tap(60, -20)
    expect(banner).to_contain_text("Corners: 2")
    page.keyboard.press("Escape")
    expect(banner).to_have_count(0)
    expect(plan).to_have_attribute("data-corners", "0")

    page.get_by_role("button", name="Draw on the map").click()
    for east, south in ((-60, -20), (60, -20), (60, 60), (0, 70)):
        tap(east, south)
    banner.get_by_role("button", name="Undo").click()
    expect(banner).to_contain_text("Corners: 3")
    banner.get_by_role("button", name="Done").click()
    expect(banner).to_have_count(0)
    # One corner is west of the antimeridian, the others are east of it. The area is drawn between them.
    corners = page.get_by_label("Corners").input_value().split("\n")
    assert [line.split(", ")[1][0] for line in corners] == ["1", "-", "-"], corners
    widths = page.locator("#place-map path.map-accuracy").evaluate_all("all => all.map(a => a.getBBox().width)")
    assert widths and max(widths) < box["width"], widths


@pytest.mark.spec("T-6-6-7")
def test_server_without_tiles_shows_a_grid(own_server, sign_in):
    server = own_server(environment={"HOMEWARD_TILES_URL": "none"})
    someone, _ = owner(server, 10)
    page = sign_in(someone)
    page.goto("/tracking/map")
    expect(page.locator(".map-scale")).to_have_text(re.compile(r"^Squares of \d+ m$"))
    expect(page.locator(".map-grid")).to_have_count(1)


@pytest.mark.spec("T-6-6-7")
def test_demo_shows_an_invented_town_without_internet_and_an_item_that_moves(tmp_path, phone):
    with running_demo(tmp_path) as demo:
        page = phone(demo)
        asked = requests_of(page)
        sign_in_by_form(page, demo.people["mia"])

        def listed(path):
            return page.request.get(path, headers={"Accept": "application/json"}).json()["items"]

        def times():
            return {item["id"]: (item["lastFix"] or {}).get("at") for item in listed("/tracking/items")}

        assert {place["name"] for place in listed("/tracking/safe-places")} == {"Home", "Office"}
        before = times()
        assert len(before) >= 3
        page.goto("/tracking/map")
        expect(page.locator(".leaflet-tile-loaded").first).to_be_visible()
        expect(page.locator(".leaflet-control-attribution")).to_have_text(
            "Generated map of an invented town, not a real place")
        assert all(address.startswith((demo.url, "data:", "blob:")) for address in asked), asked
        sizes = page.evaluate("""async () => Promise.all(
            [...document.querySelectorAll('.leaflet-tile-loaded')].map(
                async (tile) => (await (await fetch(tile.src)).arrayBuffer()).byteLength))""")
        # A tile of one colour has less.
        assert max(sizes) > 8_000, sizes
        wait_until(lambda: any(at != before[item] for item, at in times().items()), seconds=30,
                   pause=lambda: page.wait_for_timeout(200))
