"""Rules of items about safe places: arrive and leave; places that are polygons."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import HOME, METRE, north
from support.pages import until, words


class Walker:
    """An item that reports once a minute, in the past so that a test needs no pauses."""

    def __init__(self, person, name="Bike"):
        self.person = person
        self.item = person.add_item(name)
        self.secret = person.add_osmand_tracker(self.item)
        self.path = f"/tracking/items/{self.item['id']}"
        self.at = int(time.time()) - 1_700

    def is_at(self, *metres, seconds=60, **fields):
        for metre in metres:
            self.at += seconds
            self.person.report(self.secret, *north(metre), at=self.at, **{"accuracy": 5, **fields})

    def told(self):
        feed = self.person.call("GET", "/notifications", expect=200)["items"]
        return [entry["kind"] for entry in reversed(feed) if entry["resource"] == self.path]


def add_place(person, name="Home", **fields):
    body = {"name": name, "latitude": HOME[0], "longitude": HOME[1], "radiusMetres": 100, **fields}
    return person.call("POST", "/tracking/safe-places", body, expect=201)


def add_rule(walker, place, kind, **fields):
    body = {"placeId": place["id"], "kind": kind, **fields}
    return walker.person.call("POST", f"{walker.path}/geofences", body, expect=201)


@pytest.mark.spec("T-6-3-1")
def test_arriving_and_leaving_is_notified_once_per_crossing(engine, server, person, sign_in):
    someone = person()
    add_place(someone)
    bike = Walker(someone)
    bike.is_at(500, 500)
    page = sign_in(someone)
    page.goto(f"{bike.path}/geofences")
    expect(page.get_by_text("No rules yet")).to_be_visible()
    for label in ("It arrives", "It leaves"):
        page.get_by_role("link", name=words("Add a rule")).first.click()
        page.get_by_label(re.compile(f"^{label}")).check()
        page.get_by_label("Wait").fill("0")
        expect(page.get_by_label("Time zone")).not_to_have_value("")
        page.get_by_role("button", name=words("Save")).click()
        page.wait_for_url(f"**{bike.path}/geofences")
    expect(page.get_by_role("link", name=re.compile("^Arrives at Home"))).to_contain_text("Every day")
    expect(page.get_by_role("link", name=re.compile("^Leaves Home"))).to_be_visible()
    page.goto("/notifications")

    # One wrong position, and one at the border, change nothing.
    bike.is_at(20, 500, 98, 20)
    assert bike.told() == []
    bike.is_at(10)
    expect(page.get_by_text("Bike arrived at Home")).to_be_visible()
    assert bike.told() == ["itemArrived"]
    # Late, repeated and shuffled positions tell nothing again.
    for seconds in (200, 150, 150, 30):
        someone.report(bike.secret, *north(500), at=bike.at - seconds)
    bike.is_at(10)
    bike.is_at(400, 400, 800)
    assert bike.told() == ["itemArrived", "itemLeft"]


@pytest.mark.spec("T-6-3-3")
def test_a_polygon_is_drawn_on_the_map_and_counts_by_its_outline(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    page.goto("/tracking/safe-places/new")
    page.get_by_label("Name").fill("Garden")
    page.get_by_label("Latitude").fill(str(HOME[0]))
    page.get_by_label("Longitude").fill(str(HOME[1]))
    plan = page.get_by_role("region", name="Map of the safe place")
    expect(plan).to_have_attribute("data-has-place", "true")
    until(page, "() => document.querySelector('#place-map .map-accuracy') !== null")
    page.get_by_text(words("Outline")).click()
    page.get_by_role("button", name="Draw on the map").click()
    plan.scroll_into_view_if_needed()
    box = plan.bounding_box()
    for east, south in ((-40, -40), (40, -40), (40, 40), (60, 60)):
        plan.click(position={"x": box["width"] / 2 + east, "y": box["height"] / 2 + south})
    expect(plan).to_have_attribute("data-corners", "4")
    page.get_by_role("button", name="Remove the last corner").click()
    expect(plan).to_have_attribute("data-corners", "3")
    page.get_by_role("button", name=words("Save")).click()
    expect(page.get_by_role("link", name=re.compile("^Garden.*3 corners"))).to_be_visible()
    [place] = someone.call("GET", "/tracking/safe-places")["items"]
    assert len(place["outline"]) == 3

    # The same with the keyboard: the south half of a square of 400 m.
    page.get_by_role("link", name=re.compile("^Garden")).click()
    east = METRE * 200 / 0.6324
    square = [(-200 * METRE, -east), (-200 * METRE, east), (0, east), (0, -east)]
    text = [f"{HOME[0] + up:.6f}, {HOME[1] + right:.6f}" for up, right in square]
    corners = page.get_by_label("Corners")
    corners.fill("\n".join([text[0], text[2], text[1], text[3]]))
    page.get_by_role("button", name=words("Save")).click()
    expect(page.get_by_text("The outline crosses itself. Enter its corners in order.")).to_be_visible()
    corners.fill("\n".join(text))
    page.get_by_role("button", name=words("Save")).click()
    expect(page.get_by_role("link", name=re.compile("^Garden.*4 corners"))).to_be_visible()

    bike = Walker(someone)
    bike.is_at(500, 500)
    add_rule(bike, someone.call("GET", "/tracking/safe-places")["items"][0], "arrive")
    bike.is_at(60, 60)
    assert bike.told() == [], "in the circle around the polygon, but north of its outline"
    bike.is_at(-100, -100)
    assert bike.told() == ["itemArrived"]


@pytest.mark.spec("T-6-3-3")
def test_a_place_for_a_rule_keeps_what_was_entered_and_returns_to_the_rule(engine, server, person, sign_in):
    someone = person()
    bike = Walker(someone)
    bike.is_at(500)
    page = sign_in(someone)
    page.goto(f"{bike.path}/geofences")
    page.get_by_role("link", name=words("Add a safe place")).click()
    page.get_by_label(words("Name")).fill("Workshop")
    page.get_by_label(words("Radius")).fill("77")
    until(page, "() => document.querySelector('#place-map.leaflet-container')")
    page.get_by_role("link", name="Bike").click()
    latitude = page.get_by_label(words("Latitude"))
    expect(latitude).not_to_have_value("")
    assert abs(float(latitude.input_value()) - north(500)[0]) < METRE
    expect(page.get_by_label(words("Name"))).to_have_value("Workshop")
    page.get_by_role("button", name=words("Save")).click()
    chosen = page.get_by_label(words("Safe place"))
    expect(chosen.locator("option:checked")).to_have_text("Workshop")
    [place] = someone.call("GET", "/tracking/safe-places", expect=200)["items"]
    assert (place["name"], place["radiusMetres"]) == ("Workshop", 77)


@pytest.mark.spec("T-6-3-3")
def test_a_copied_position_replaces_the_outline(engine, server, person, sign_in):
    someone = person()
    Walker(someone).is_at(500)
    page = sign_in(someone, permissions=["geolocation"],
                   geolocation={"latitude": north(500)[0], "longitude": HOME[1], "accuracy": 5})
    page.goto("/tracking/safe-places/new")
    plan = page.get_by_role("region", name="Map of the safe place")
    page.get_by_text(words("Outline")).click()
    corners = page.get_by_label("Corners")
    latitude = page.get_by_label(words("Latitude"))
    copies = page.get_by_role("link", name="Bike"), page.get_by_role("button", name=words("Use this phone’s position"))
    for copy in copies:
        latitude.fill("")
        corners.fill("\n".join(f"{HOME[0] + up:.6f}, {HOME[1] + right:.6f}"
                               for up, right in ((0, 0), (0.001, 0), (0.001, 0.001))))
        expect(plan).to_have_attribute("data-corners", "3")
        copy.click()
        expect(plan).to_have_attribute("data-corners", "0")
        expect(corners).to_have_value("")
        expect(plan).to_have_attribute("data-has-place", "true")
        assert abs(float(latitude.input_value()) - north(500)[0]) < METRE
