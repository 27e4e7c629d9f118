"""Two people and one package: one acts while the other's page shows a confirmation or a code."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    DELIVERIES,
    LOCK,
    REWARD,
    START,
    act,
    action,
    field,
    fill_request,
    open_tab,
    package_card,
    post,
    state,
)
from support.pages import png_file, toast

FULL = (START, 0)
CHANGED = "This was changed elsewhere. Review it and try again."


@pytest.fixture
def people(carrepsa):
    class People:
        olga, karl, vera = carrepsa.add_person("Olga"), carrepsa.add_person("Karl"), carrepsa.add_person("Vera")
    return People


def code_of(someone, package, step):
    return act(someone, package, "handover-codes", body={"step": step})["code"]


def is_live(page):
    """Waits until the stream is open and the requests at its opening are complete."""
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    expect(page.locator("[data-live].htmx-request")).to_have_count(0)


# Actions of the other of owner and carrier

def takes(people, package):
    act(people.vera, package, "acceptance")


def withdraws(people, package):
    people.olga.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=204)


def owner_cancels(people, package):
    act(people.olga, package, "acceptance", expect=200, method="DELETE")


def carrier_cancels(people, package):
    act(people.karl, package, "acceptance", expect=200, method="DELETE")


def picks_up_by_code(people, package):
    act(people.karl, package, "pickup", body={"code": code_of(people.olga, package, "pickup")})


def owner_confirms_pickup(people, package):
    act(people.olga, package, "pickup")


def owner_confirms_delivery(people, package):
    act(people.olga, package, "delivery")


def reports(people, package):
    act(people.karl, package, "delivery-report")


# who opens the confirmation, the state before, the button, the other's action while the confirmation is open
PAIRS = [
    ("olga", "accepted", "Confirm pickup", carrier_cancels),
    ("olga", "travelling", "Confirm delivery", reports),
    ("karl", "available", "Accept delivery", withdraws),
]


def package_in_state(people, stage):
    package = post(people.olga)
    if stage != "available":
        act(people.karl, package, "acceptance")
    if stage == "travelling":
        act(people.olga, package, "pickup")
    return package


@pytest.mark.parametrize("who, stage, button, other_action", PAIRS, ids=lambda value: getattr(value, "__name__", value))
def test_stale_confirmation_is_rejected(engine, carrepsa, people, sign_in, who, stage, button, other_action):
    package = package_in_state(people, stage)
    page = sign_in(getattr(people, who))
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    action(page, button).click()
    question = page.locator("dialog[open] [data-yes]")
    expect(question).to_be_visible()
    other_action(people, package)
    before = [carrepsa.money(one) for one in carrepsa.people], find(people, package)

    # The page shows a message, here or on the list, and no confirmation is open any more.
    expect(page.locator("[data-toast]").first).to_be_visible()
    expect(question).to_have_count(0)
    assert sent == []
    assert ([carrepsa.money(one) for one in carrepsa.people], find(people, package)) == before


def find(people, package):
    for someone in (people.olga, people.karl, people.vera):
        status, _, answer = someone.server.request("GET", f"/carrepsa/packages/{package['id']}", token=someone.token)
        if status == 200:
            return answer["state"], answer["version"]
    return None


def test_pickup_confirmation_never_confirms_the_delivery(engine, carrepsa, people, sign_in):
    """Regression: a live update replaced the form below an open confirmation, and confirming it paid out the money."""
    package = package_in_state(people, "accepted")
    page = sign_in(people.olga)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    action(page, "Confirm pickup").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    picks_up_by_code(people, package)
    expect(action(page, "Confirm delivery")).to_have_count(1)
    yes = page.locator("dialog[open] [data-yes]")
    if yes.count():
        yes.click()
    expect(toast(page, CHANGED)).to_be_visible()
    assert state(people.olga, package) == "travelling"
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK), FULL)


def test_unchanged_update_leaves_the_confirmation_open(engine, carrepsa, people, sign_in):
    package = package_in_state(people, "travelling")
    page = sign_in(people.olga)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    action(page, "Confirm delivery").click()
    yes = page.locator("dialog[open] [data-yes]")
    expect(yes).to_be_visible()
    with page.expect_response(re.compile(package["id"])):
        page.evaluate("() => document.getElementById('package').dispatchEvent(new CustomEvent('hw:refresh'))")
    yes.click()
    expect(page).not_to_have_url(re.compile(package["id"]))
    assert state(people.olga, package) == "delivered"


# Late actions

def test_late_carrier_sees_why_the_package_is_gone(engine, carrepsa, people, sign_in):
    package = package_in_state(people, "available")
    page = sign_in(people.karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    takes(people, package)
    expect(page).to_have_url(re.compile(r"/carrepsa/packages(\?.*)?$"))
    expect(toast(page, "Another carrier was faster.")).to_be_visible()


def test_carrier_sees_that_the_owner_cancelled(engine, carrepsa, people, sign_in):
    package = package_in_state(people, "accepted")
    page = sign_in(people.karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    owner_cancels(people, package)
    expect(page.get_by_text("Olga cancelled your delivery. Your deposit is back.")).to_be_visible()


# Codes

def test_scanned_code_survives_a_live_update(engine, carrepsa, people, sign_in):
    package = package_in_state(people, "accepted")
    code = code_of(people.olga, package, "pickup")
    page = sign_in(people.karl)
    page.goto(f"/carrepsa/packages/{package['id']}?code={code}")
    is_live(page)
    # The stream opened, and the page was fetched again.
    with page.expect_response(re.compile(package["id"])):
        page.evaluate("() => document.getElementById('package').dispatchEvent(new CustomEvent('hw:refresh'))")
    expect(field(page, "Code")).to_have_value(code)
    action(page, "Confirm with code").click()
    expect(page).to_have_url(DELIVERIES)
    assert state(people.karl, package) == "travelling"


def test_code_error_survives_a_live_update(engine, carrepsa, people, sign_in):
    package = package_in_state(people, "accepted")
    page = sign_in(people.karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    field(page, "Code").fill("000000")
    action(page, "Confirm with code").click()
    wrong = page.get_by_text("This is not Olga’s code.")
    expect(wrong).to_be_visible()
    with page.expect_response(re.compile(package["id"])):
        page.evaluate("() => document.getElementById('package').dispatchEvent(new CustomEvent('hw:refresh'))")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(wrong).to_be_visible()
    expect(field(page, "Code")).to_have_value("000000")
    # The error disappears at the next step.
    owner_confirms_pickup(people, package)
    expect(wrong).to_have_count(0)


def test_back_link_of_a_person_survives_a_live_update(engine, carrepsa, people, sign_in):
    package = package_in_state(people, "accepted")
    page = sign_in(people.karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    page.get_by_role("link", name=re.compile("Olga")).click()
    back = page.locator(".bar [data-back]")
    expect(back).to_contain_text("Package")
    is_live(page)
    with page.expect_response(re.compile("/people/")):
        page.evaluate("() => document.getElementById('person').dispatchEvent(new CustomEvent('hw:refresh'))")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(back).to_contain_text("Package")


# Days

def test_pickup_day_is_the_chosen_day_in_another_time_zone(engine, carrepsa, people, sign_in):
    page = sign_in(people.olga, timezone_id="America/New_York")
    open_tab(page, "New")
    fill_request(page, "Umbrella")
    page.get_by_text("More details").click()
    field(page, "Pick up by").fill("2031-11-25")
    action(page, "Request delivery").click()
    expect(page.get_by_role("heading", name="Umbrella").first).to_be_visible()
    open_tab(page, "My packages")
    card = package_card(page, "Umbrella").filter(has_text="by")
    expect(card).to_contain_text("25 Nov")
    card.get_by_role("link").first.click()
    expect(page.locator(".facts")).to_contain_text("25 Nov")
    expect(page.locator(".facts")).not_to_contain_text("26 Nov")


# A lost response

def test_lost_response_is_not_reported_as_unsent(engine, carrepsa, people, sign_in):
    package = package_in_state(people, "travelling")
    page = sign_in(people.olga)

    def lose(route):
        route.fetch(max_redirects=0)
        route.abort()

    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    page.route(re.compile("/delivery$"), lose)
    action(page, "Confirm delivery").click()
    page.locator("dialog[open] [data-yes]").click()
    expect(toast(page, "No response from the server. Check before you try again.")).to_be_visible()
    assert state(people.olga, package) == "delivered"


# Wide screens

def test_wide_screen_shows_the_list_that_contains_the_package(engine, carrepsa, people, sign_in):
    done = package_in_state(people, "travelling")
    owner_confirms_delivery(people, done)
    live = post(people.olga, "Umbrella")
    post(people.vera, "Lantern", to="Cologne")
    post(people.vera, "Kettle", to="Kiel")
    page = sign_in(people.olga, viewport={"width": 1100, "height": 800}, is_mobile=False, has_touch=False)
    page.goto(f"/carrepsa/packages/{done['id']}")
    pane = page.locator("[data-pane-list]")
    expect(pane.get_by_role("link", name="Bike helmet").first).to_be_visible()
    expect(pane.locator(".segments [aria-current]")).to_have_text("Past")
    expect(pane.get_by_text("Umbrella")).to_have_count(0)
    page.goto(f"/carrepsa/packages/{live['id']}")
    expect(pane.locator(".segments [aria-current]")).to_have_text("Live")

    page.goto("/carrepsa/packages")
    field(page, "To").fill("colog")
    expect(package_card(page, "Kettle")).to_have_count(0)
    package_card(page, "Lantern").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="Lantern").first).to_be_visible()
    expect(pane.get_by_text("Lantern")).to_be_visible()
    expect(pane.get_by_text("Kettle")).to_have_count(0)


# Without scripts

def test_photo_of_a_rejected_form_is_uploaded_once_without_scripts(engine, carrepsa, people, sign_in):
    page = sign_in(people.olga, java_script_enabled=False)
    page.goto("/carrepsa/packages/new")
    fill_request(page, "Vase", weight="heavy")
    page.get_by_text("More details").click()
    page.locator("input[type=file][name=picture]").first.set_input_files(png_file())
    for weight in ("heavier", "1.2"):
        action(page, "Request delivery").click()
        expect(page.locator("main img[src*='/pictures/']").first).to_be_visible()
        field(page, "Weight").fill(weight)
    action(page, "Request delivery").click()
    package, = people.olga.call("GET", "/carrepsa/packages?role=owner")["items"]
    pictures = people.olga.call("GET", "/pictures")["items"]
    assert [picture["id"] for picture in pictures] == [package["pictureId"]]
