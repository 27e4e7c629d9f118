"""Phone apps as position sources: connecting one, reopening its secrets, and creating new ones."""

import base64
import json
import re
import time

from playwright.sync_api import expect

from support.pages import words


def connect(page, app, use=None):
    """Connects an app through the form and returns the settings on its page by label."""
    page.goto("/tracking/sources")
    page.get_by_role("link", name=re.compile("connect an app", re.I)).first.click()
    page.get_by_label(re.compile(app, re.I)).check()
    if use:
        page.get_by_label(re.compile("it reports for", re.I)).select_option(label=use)
    page.get_by_role("button", name=words("Connect")).click()
    return secrets(page)


def secrets(page):
    expect(page.get_by_text(re.compile("^this is shown only once", re.I))).to_be_visible()
    rows = page.get_by_role("listitem").filter(has=page.locator(".secret"))
    return {row.locator(".row-note").inner_text(): row.locator(".secret").inner_text() for row in rows.all()}


def report(server, secret, at=None):
    return server.request("GET", f"/ingest/osmand?id={secret}&lat=50&lon=6&timestamp={int(at or time.time())}")[0]


def test_going_back_to_the_secrets_creates_no_second_source_and_offers_new_ones(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    old = connect(page, "OsmAnd")["Device identifier"]
    source = someone.call("GET", "/tracking/sources")["items"][0]
    expect(page).to_have_url(re.compile(f"/tracking/sources/{source['id']}$"))
    page.get_by_role("link", name=words("Done")).click()
    expect(page.get_by_role("link", name=re.compile("my phone", re.I))).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name=words("New secret"))).to_be_visible()
    assert old not in page.content()
    assert len(someone.call("GET", "/tracking/sources")["items"]) == 1
    assert report(server, old) == 200


AWAITED = "Waiting for the first position"
ARRIVED = "The first position has arrived"


def owntracks(server, shown, at):
    """Sends a position like OwnTracks without encryption."""
    token = base64.b64encode(f"{shown['User']}:{shown['Password']}".encode()).decode()
    body = json.dumps({"_type": "location", "lat": 50, "lon": 6, "tst": int(at), "acc": 5}).encode()
    return server.request(
        "POST", "/ingest/owntracks", body,
        headers={"Content-Type": "application/json", "Authorization": f"Basic {token}"})[0]


def test_setup_asks_only_osmand_for_its_unit_of_speed_and_reports_the_first_position(engine, server, person, sign_in):
    someone = person()
    someone.add_item("Keys")
    page = sign_in(someone)
    page.goto("/tracking/sources/new")
    unit = page.get_by_label(re.compile("speed unit", re.I))
    page.get_by_label(re.compile("owntracks", re.I)).check()
    expect(unit).to_be_hidden()
    page.get_by_label(re.compile("osmand", re.I)).first.check()
    expect(unit).to_be_visible()
    expect(unit.locator("option")).to_contain_text(["Knots (Traccar Client)", "Metres a second (OsmAnd)"],
                                                   use_inner_text=False)

    shown = connect(page, "OwnTracks", "Item: Keys")
    status = page.get_by_role("status").filter(has_text=re.compile(f"{AWAITED}|{ARRIVED}"))
    expect(status).to_contain_text(AWAITED)
    page.evaluate("() => (window.isSamePage = true)")
    # The status element exists before its text changes, so that screen readers announce the change.
    element = status.element_handle()
    assert owntracks(server, shown, time.time() - 60) == 200
    expect(status).to_contain_text(ARRIVED)
    assert element.evaluate("one => one.isConnected && one.innerText.trim().length > 0")
    assert page.evaluate("() => window.isSamePage"), "without a reload"
    assert page.locator(".secret").first.is_visible(), "the secrets stay"

    # After new secrets, an earlier report doesn't count.
    source = someone.call("GET", "/tracking/sources")["items"][0]
    page.goto(f"/tracking/sources/{source['id']}")
    page.get_by_role("button", name=words("New secret")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("New secret")).click()
    shown = secrets(page)
    expect(status).to_contain_text(AWAITED)
    assert owntracks(server, shown, time.time()) == 200
    expect(status).to_contain_text(ARRIVED)


def test_age_of_the_last_report_keeps_updating(engine, server, person, sign_in):
    someone = person()
    secret = someone.call("POST", "/tracking/sources", {"kind": "osmand"}, expect=201)["secret"]
    someone.call("POST", "/tracking/sources", {"kind": "owntracks"}, expect=201)
    assert report(server, secret) == 200
    page = sign_in(someone)
    page.clock.install(time=time.time())
    page.goto("/tracking/sources")
    rows = page.locator("#sources .row-note")
    expect(rows.filter(has_text="Last report now")).to_have_count(1)
    expect(rows.filter(has_text="Nothing received yet")).to_have_count(1)
    page.clock.fast_forward("02:00")
    expect(rows.filter(has_text=re.compile(r"Last report 2\smin ago"))).to_have_count(1)
