"""Days: stays, trips and gaps of an item, the search for stays, and a trip as a file."""

import re

import pytest
from playwright.sync_api import expect

from support.items import HOME, tracked
from support.journeys import WORK, report_all, working_day
from support.layout_checks import SMALL, flaws
from support.patience import wait_until

DAY = "2026-03-03"
# The job runs every 15 seconds.
JOB_SECONDS = 40


def parts(someone, item, day=DAY, zone="UTC"):
    return someone.call("GET", f"/tracking/items/{item['id']}/days/{day}?zone={zone}", expect=200)["parts"]


def computed(someone, item, count, day=DAY):
    """Waits until a day has its parts."""
    return wait_until(lambda: len(found := parts(someone, item, day)) == count and found, seconds=JOB_SECONDS,
                      otherwise=lambda: [part["kind"] for part in parts(someone, item, day)])


@pytest.fixture
def travelled(tracked):
    """A person whose bag was at work and back on a day, with both places."""
    someone, item, secret = tracked("Bag")
    for name, place in (("Home", HOME), ("Work", WORK)):
        someone.call("POST", "/tracking/safe-places",
                     {"name": name, "latitude": place[0], "longitude": place[1], "radiusMetres": 150}, expect=201)
    report_all(someone, secret, working_day(DAY))
    return someone, item, secret


@pytest.mark.spec("T-6-7-1", "T-6-7-4")
def test_day_shows_stays_trips_and_gaps_with_a_map(travelled, sign_in, engine):
    someone, item, _ = travelled
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


@pytest.mark.spec("T-6-7-1", "T-6-7-3")
def test_stays_at_a_place_are_found_newest_first(travelled, sign_in, engine):
    someone, item, secret = travelled
    report_all(someone, secret, working_day("2026-03-05"))
    computed(someone, item, 7, day="2026-03-05")
    page = sign_in(someone, timezone_id="UTC", viewport=SMALL)
    page.goto(f"/tracking/items/{item['id']}/days")
    expect(page.locator("#day-list a")).to_have_count(2)
    page.get_by_role("link", name="When was it at a safe place?").click()
    page.get_by_role("link", name="Work").click()
    rows = page.locator("#stays li")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("Thu 5 Mar, 16:00 – 16:10")
    expect(rows.nth(3)).to_contain_text("Tue 3 Mar, 08:20 – 12:00")
    rows.nth(3).get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/days/{DAY}$"))
    page.get_by_role("link", name="Later day").click()
    expect(page).to_have_url(re.compile("/days/2026-03-05$"))
    page.get_by_role("link", name="Earlier day").click()
    expect(page).to_have_url(re.compile(f"/days/{DAY}$"))
    # The pages fit a narrow screen in light and dark.
    for path in (f"days/{DAY}", "days?month=2026-03", "stays"):
        page.goto(f"/tracking/items/{item['id']}/{path}")
        page.wait_for_load_state("load")
        assert flaws(page) == [], path
