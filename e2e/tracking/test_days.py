"""Days: stays, trips and gaps of an item on a map, and a trip as a file."""

import re

import pytest
from playwright.sync_api import expect

from support.items import HOME
from support.journeys import WORK, report_all, working_day
from support.layout_checks import SMALL, flaws
from support.patience import wait_until
from support.server import Person

DAY = "2026-03-03"
# A server computes days when it starts, and every 15 seconds.
JOB_SECONDS = 40


def parts(someone, item, day=DAY, zone="UTC"):
    return someone.call("GET", f"/tracking/items/{item['id']}/days/{day}?zone={zone}", expect=200)["parts"]


def computed(someone, item, count, day=DAY):
    """Waits until a day has its parts."""
    return wait_until(lambda: len(found := parts(someone, item, day)) == count and found, seconds=JOB_SECONDS,
                      otherwise=lambda: [part["kind"] for part in parts(someone, item, day)])


@pytest.fixture
def travelled(own_server):
    """A person whose bag was at work and back on a day, with the ids of both places."""
    server = own_server()
    someone = Person(server)
    item = someone.add_item("Bag")
    places = [
        someone.call("POST", "/tracking/safe-places",
                     {"name": name, "latitude": place[0], "longitude": place[1], "radiusMetres": 150},
                     expect=201)["id"]
        for name, place in (("Home", HOME), ("Work", WORK))]
    report_all(someone, someone.add_osmand_tracker(item), working_day(DAY))
    server.restart()
    return someone, item, places


@pytest.mark.spec("T-6-7-1", "T-6-7-3", "T-6-7-4")
def test_day_shows_stays_trips_and_gaps_with_a_map(travelled, sign_in):
    someone, item, (_, work) = travelled
    computed(someone, item, 7)
    page = sign_in(someone, timezone_id="Europe/Berlin")
    page.goto(f"/tracking/items/{item['id']}")
    page.get_by_role("link", name="Days: stays and trips").click()
    page.locator("#day-list a").first.click()
    rows = page.locator("#day-parts > li")
    kinds = [re.search(r"day-(stay|trip|gap|sighting)", row.get_attribute("class"))[1] for row in rows.all()]
    assert kinds == ["stay", "trip", "stay", "gap", "stay", "trip", "stay"], kinds
    expect(rows.nth(0)).to_contain_text("Home")
    # An hour later than in UTC.
    expect(rows.nth(0)).to_contain_text("07:00 – 09:00")
    expect(rows.nth(2)).to_contain_text("Work")
    expect(rows.nth(3)).to_contain_text("No positions")
    expect(rows.nth(3)).to_contain_text("4 hr")
    expect(page.locator("#day-summary")).to_contain_text("2 trips")
    the_map = page.locator("#day-map")
    expect(the_map).to_have_attribute("data-lines", "2")
    expect(the_map).to_have_attribute("data-count", "4")
    page.get_by_role("button", name=re.compile("Show on the map.*Work")).first.click()
    expect(page.locator(".leaflet-popup")).to_contain_text("Work")
    with page.expect_download() as started:
        rows.nth(1).get_by_role("link", name="Trip as a GPX file").click()
    times = re.findall(r"<time>([^<]+)</time>", started.value.path().read_text())
    assert times[0].startswith(f"{DAY}T08:00") and times[-1].startswith(f"{DAY}T08:20"), times
    page.set_viewport_size(SMALL)
    for path in (f"days/{DAY}", "days?month=2026-03", f"stays?place={work}"):
        page.goto(f"/tracking/items/{item['id']}/{path}")
        page.wait_for_load_state("load")
        assert flaws(page) == [], path
    expect(page.locator("#stays li")).to_have_count(2)
