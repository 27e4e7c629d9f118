"""Two people, one parcel: what one does while the other's page asks, shows a code, or is about to be tapped."""

import re

import pytest
from playwright.sync_api import expect

from support.pages import ONE_SECOND, png_file, toast
from support.parcels import (
    DELIVERIES, LOCK, REWARD, START, act, action, field, fill_request, open_tab, parcel, post, state,
)

FULL = (START, 0)
CHANGED = "This was changed elsewhere. Review it and try again."


@pytest.fixture
def cast(village):
    class Cast:
        olga, karl, vera = village.neighbour("Olga"), village.neighbour("Karl"), village.neighbour("Vera")
    return Cast


def code_of(someone, package, step):
    return act(someone, package, "handover-codes", body={"step": step})["code"]


def is_live(page):
    """The stream is open, and what was asked for when it opened has been answered."""
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    expect(page.locator("[data-live].htmx-request")).to_have_count(0)


# What the other side does meanwhile

def takes(cast, package):
    act(cast.vera, package, "acceptance")


def withdraws(cast, package):
    cast.olga.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=204)


def owner_cancels(cast, package):
    act(cast.olga, package, "acceptance", expect=200, method="DELETE")


def carrier_cancels(cast, package):
    act(cast.karl, package, "acceptance", expect=200, method="DELETE")


def picks_up_by_code(cast, package):
    act(cast.karl, package, "pickup", body={"code": code_of(cast.olga, package, "pickup")})


def owner_confirms_pickup(cast, package):
    act(cast.olga, package, "pickup")


def delivers_by_code(cast, package):
    act(cast.karl, package, "delivery", body={"code": code_of(cast.olga, package, "delivery")})


def owner_confirms_delivery(cast, package):
    act(cast.olga, package, "delivery")


def reports(cast, package):
    act(cast.karl, package, "delivery-report")


def owner_asks(cast, package):
    act(cast.olga, package, "cancellation-request")


def carrier_asks(cast, package):
    act(cast.karl, package, "cancellation-request")


def owner_retracts(cast, package):
    act(cast.olga, package, "cancellation-request", expect=200, method="DELETE")


def carrier_retracts(cast, package):
    act(cast.karl, package, "cancellation-request", expect=200, method="DELETE")


def owner_disputes(cast, package):
    act(cast.olga, package, "dispute", body={"reason": "Where is it?"})


def carrier_disputes(cast, package):
    act(cast.karl, package, "dispute", body={"reason": "Nobody is there."})


# who asks themselves, what happened before, the button, what the other side does under the open question
PAIRS = [
    ("olga", "available", "Cancel request", takes),
    ("olga", "accepted", "Confirm pickup", picks_up_by_code),
    ("olga", "accepted", "Confirm pickup", carrier_cancels),
    ("olga", "accepted", "Cancel delivery", picks_up_by_code),
    ("olga", "accepted", "Cancel delivery", carrier_cancels),
    ("olga", "travelling", "Confirm delivery", delivers_by_code),
    ("olga", "travelling", "Confirm delivery", reports),
    ("olga", "travelling", "Confirm delivery", carrier_asks),
    ("olga", "travelling", "Confirm delivery", carrier_disputes),
    ("olga", "travelling", "Ask to cancel", carrier_asks),
    ("olga", "travelling", "Ask to cancel", delivers_by_code),
    ("olga", "carrier asked", "Agree to cancel", carrier_retracts),
    ("olga", "carrier asked", "Agree to cancel", delivers_by_code),
    ("karl", "available", "Accept delivery", takes),
    ("karl", "available", "Accept delivery", withdraws),
    ("karl", "accepted", "Cancel delivery", owner_confirms_pickup),
    ("karl", "accepted", "Cancel delivery", owner_cancels),
    ("karl", "travelling", "I have delivered it", owner_confirms_delivery),
    ("karl", "travelling", "I have delivered it", owner_asks),
    ("karl", "travelling", "Ask to cancel", owner_asks),
    ("karl", "travelling", "Ask to cancel", owner_disputes),
    ("karl", "owner asked", "Agree to cancel", owner_retracts),
    ("karl", "owner asked", "Agree to cancel", owner_confirms_delivery),
]


def bring(cast, stage):
    package = post(cast.olga)
    if stage != "available":
        act(cast.karl, package, "acceptance")
    if stage not in ("available", "accepted"):
        act(cast.olga, package, "pickup")
    if stage.endswith("asked"):
        act(cast.olga if stage == "owner asked" else cast.karl, package, "cancellation-request")
    return package


@pytest.mark.parametrize("who, stage, button, meanwhile", PAIRS, ids=lambda value: getattr(value, "__name__", value))
def test_a_yes_is_never_one_to_something_else(engine, village, cast, sign_in, who, stage, button, meanwhile):
    package = bring(cast, stage)
    page = sign_in(getattr(cast, who))
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    action(page, button).click()
    question = page.locator("dialog[open] [data-yes]")
    expect(question).to_be_visible()
    meanwhile(cast, package)
    before = [village.money(one) for one in village.people], find(cast, package)

    # Told, and on this page or the list that it leads to: nothing is open any more that a yes could be said to.
    expect(page.locator("[data-toast]").first).to_be_visible()
    expect(question).to_have_count(0)
    assert sent == []
    assert ([village.money(one) for one in village.people], find(cast, package)) == before


def find(cast, package):
    for someone in (cast.olga, cast.karl, cast.vera):
        status, _, answer = someone.server.request("GET", f"/carrepsa/packages/{package['id']}", token=someone.token)
        if status == 200:
            return answer["state"], answer["version"]
    return None


@pytest.mark.smoke
def test_the_question_about_the_pickup_does_not_pay(engine, village, cast, sign_in):
    """The money that was paid out once: the form was made another of under the open question."""
    package = bring(cast, "accepted")
    page = sign_in(cast.olga)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    action(page, "Confirm pickup").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    picks_up_by_code(cast, package)
    expect(action(page, "Confirm delivery")).to_have_count(1)
    yes = page.locator("dialog[open] [data-yes]")
    if yes.count():
        yes.click()
    expect(toast(page, CHANGED)).to_be_visible()
    assert state(cast.olga, package) == "travelling"
    village.has((START - REWARD, REWARD), (START - LOCK, LOCK), FULL)


def test_a_page_that_did_not_follow_changes_nothing(engine, village, cast, sign_in):
    """Without its stream a page is old; the server knows by the version that its forms carry."""
    package = bring(cast, "travelling")
    page = sign_in(cast.olga)
    page.route(re.compile("/events"), lambda route: route.abort())
    page.add_init_script("delete window.SharedWorker")
    page.goto(f"/carrepsa/packages/{package['id']}")
    carrier_asks(cast, package)
    action(page, "Ask to cancel").click()
    page.locator("dialog[open] [data-yes]").click()
    expect(toast(page, "The package was changed elsewhere.")).to_be_visible()
    assert state(cast.olga, package) == "travelling", "asking is not agreeing"
    expect(action(page, "Agree to cancel")).to_be_visible()


def test_an_update_that_changes_nothing_leaves_the_question_open(engine, village, cast, sign_in):
    package = bring(cast, "travelling")
    page = sign_in(cast.olga)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    action(page, "Confirm delivery").click()
    yes = page.locator("dialog[open] [data-yes]")
    expect(yes).to_be_visible()
    with page.expect_response(re.compile(package["id"])):
        page.evaluate("() => document.getElementById('package').dispatchEvent(new CustomEvent('hw:refresh'))")
    yes.click()
    expect(page).not_to_have_url(re.compile(package["id"]))
    assert state(cast.olga, package) == "delivered"


# Who comes too late

@pytest.mark.parametrize("meanwhile, said", [
    (takes, "Another carrier was faster."), (withdraws, "The owner cancelled the request."),
], ids=lambda value: getattr(value, "__name__", "said"))
def test_who_comes_too_late_is_told_why(engine, village, cast, sign_in, meanwhile, said):
    package = bring(cast, "available")
    page = sign_in(cast.karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    meanwhile(cast, package)
    expect(page).to_have_url(re.compile(r"/carrepsa/packages(\?.*)?$"))
    expect(toast(page, said)).to_be_visible()


def test_a_carrier_reads_that_the_owner_cancelled(engine, village, cast, sign_in):
    package = bring(cast, "accepted")
    page = sign_in(cast.karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    owner_cancels(cast, package)
    expect(page.get_by_text("Olga cancelled your delivery. Your deposit is back.")).to_be_visible(timeout=ONE_SECOND)


# Codes

def test_a_scanned_code_stays_where_it_is_needed(engine, village, cast, sign_in):
    package = bring(cast, "accepted")
    code = code_of(cast.olga, package, "pickup")
    page = sign_in(cast.karl)
    page.goto(f"/carrepsa/packages/{package['id']}?code={code}")
    is_live(page)
    # The stream opened, and the page was asked for once more.
    with page.expect_response(re.compile(package["id"])):
        page.evaluate("() => document.getElementById('package').dispatchEvent(new CustomEvent('hw:refresh'))")
    expect(field(page, "Code")).to_have_value(code)
    action(page, "Confirm with code").click()
    expect(page).to_have_url(DELIVERIES)
    assert state(cast.karl, package) == "travelling"


def test_what_was_wrong_with_a_code_is_still_said_after_an_update(engine, village, cast, sign_in):
    package = bring(cast, "accepted")
    page = sign_in(cast.karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    field(page, "Code").fill("000000")
    action(page, "Confirm with code").click()
    wrong = page.get_by_text("This is not Olga's code.")
    expect(wrong).to_be_visible()
    with page.expect_response(re.compile(package["id"])):
        page.evaluate("() => document.getElementById('package').dispatchEvent(new CustomEvent('hw:refresh'))")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(wrong).to_be_visible()
    expect(field(page, "Code")).to_have_value("000000")
    # Another step is another matter.
    owner_confirms_pickup(cast, package)
    expect(wrong).to_have_count(0)


def test_the_way_back_from_a_person_keeps_its_name(engine, village, cast, sign_in):
    package = bring(cast, "accepted")
    page = sign_in(cast.karl)
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

@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
def test_the_day_for_the_pickup_is_the_chosen_one(engine, village, cast, sign_in, zone):
    page = sign_in(cast.olga, timezone_id=zone)
    open_tab(page, "New")
    fill_request(page, "Umbrella")
    page.get_by_text("More details").click()
    field(page, "Pick up by").fill("2031-11-25")
    action(page, "Request delivery").click()
    card = parcel(page, "Umbrella").filter(has_text="by")
    expect(card).to_contain_text("25 Nov")
    card.get_by_role("link").first.click()
    expect(page.locator(".facts")).to_contain_text("25 Nov")
    expect(page.locator(".facts")).not_to_contain_text("26 Nov")


# A lost answer

def test_a_lost_answer_is_not_called_unsent(engine, village, cast, sign_in):
    package = bring(cast, "travelling")
    page = sign_in(cast.olga)

    def lose(route):
        route.fetch(max_redirects=0)
        route.abort()

    page.goto(f"/carrepsa/packages/{package['id']}")
    is_live(page)
    page.route(re.compile("/delivery$"), lose)
    action(page, "Confirm delivery").click()
    page.locator("dialog[open] [data-yes]").click()
    expect(toast(page, "No response from the server. Check before you try again.")).to_be_visible()
    assert state(cast.olga, package) == "delivered"


# Wide screens

def test_beside_a_package_stands_the_list_that_it_was_in(engine, village, cast, sign_in):
    wide = {"viewport": {"width": 1100, "height": 800}, "is_mobile": False, "has_touch": False}
    done = bring(cast, "travelling")
    owner_confirms_delivery(cast, done)
    live = post(cast.olga, "Umbrella", to="Cologne")
    post(cast.vera, "Kettle", to="Kiel")
    page = sign_in(cast.olga, **wide)
    page.goto(f"/carrepsa/packages/{done['id']}")
    pane = page.locator("[data-pane-list]")
    expect(pane.get_by_role("link", name="Bike helmet").first).to_be_visible()
    expect(pane.locator(".segments [aria-current]")).to_have_text("Past")
    expect(pane.get_by_text("Umbrella")).to_have_count(0)
    page.goto(f"/carrepsa/packages/{live['id']}")
    expect(pane.locator(".segments [aria-current]")).to_have_text("Live")

    other = sign_in(cast.karl, **wide)
    open_tab(other, "Search")
    field(other, "To").fill("colog")
    expect(parcel(other, "Kettle")).to_have_count(0)
    parcel(other, "Umbrella").get_by_role("link").first.click()
    expect(other.get_by_role("heading", name="Umbrella").first).to_be_visible()
    pane = other.locator("[data-pane-list]")
    expect(pane.get_by_text("Umbrella")).to_be_visible()
    expect(pane.get_by_text("Kettle")).to_have_count(0)


# Without scripts

def test_without_script_a_photo_is_sent_once_though_the_form_is_refused(engine, village, cast, sign_in):
    page = sign_in(cast.olga, java_script_enabled=False)
    page.goto("/carrepsa/packages/new")
    fill_request(page, "Vase", weight="heavy")
    page.get_by_text("More details").click()
    page.locator("input[type=file][name=picture]").first.set_input_files(png_file())
    for weight in ("heavier", "1.2"):
        action(page, "Request delivery").click()
        expect(page.locator("main img[src*='/pictures/']").first).to_be_visible()
        field(page, "Weight").fill(weight)
    action(page, "Request delivery").click()
    package, = cast.olga.call("GET", "/carrepsa/packages?role=owner")["items"]
    pictures = cast.olga.call("GET", "/pictures")["items"]
    assert [picture["id"] for picture in pictures] == [package["pictureId"]]
