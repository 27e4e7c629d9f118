"""Sign-out and a complete delivery with the app lock on and the connection cut at each step: the page reports it, keeps
the input, and every step happens once."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    LOCK,
    PACKAGE,
    REWARD,
    RICH,
    START,
    CarrepsaFixture,
    action,
    field,
    fill_request,
    open_package,
    open_tab,
    package_card,
    state,
)
from support.children import Household, own_card, sign_in_by_link
from support.lock import heading, lock_session, set_passcode, unlock
from support.offline import LONG, QUEUED, waiting, waits, with_worker
from support.pages import intercept, toast, until, words

pytestmark = pytest.mark.service_worker

NOT_SENT = "No connection: nothing was sent. Try again."
NO_ANSWER = "No response from the server. Check before you try again."
JSON = {"Accept": "application/json"}
# The next page is in a redirect, or in a header if a script sent the form.
DONE = {200, 201, 204, 303}


def cut(page):
    page.context.set_offline(True)
    until(page, "() => !navigator.onLine")


def come_back(page):
    page.context.set_offline(False)


def come_back_locked(page, reloads=False):
    """Reconnects: the page discovers that it is locked, shows only the lock, and returns to its address after
    unlocking. A live page waits before it checks why its stream ended, unless it reloads."""
    lock_session(page)
    come_back(page)
    if reloads:
        page.reload()
    expect(heading(page, "Locked")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("navigation")).to_have_count(0)
    unlock(page)
    expect(heading(page, "Locked")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-live", "open", timeout=LONG)


def says_that_it_needs_a_connection(page):
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("main")).to_contain_text("needs a connection")


def shows_message(page, text=NOT_SENT):
    expect(toast(page, text)).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def tap_tab(page, name):
    page.get_by_role("navigation").get_by_role("link", name=words(name)).click()


# C-01 ----------------------------------------------------------------------------------------------------------------

REQUEST = {"Title": "Bike helmet", "From": "Aachen", "To": "Bonn", "Weight": "1.2", "Reward": "12.00",
           "Deposit": "40.00"}


def is_typed(page, values):
    for label, text in values.items():
        expect(field(page, label)).to_have_value(text)


def press(page, label):
    """Taps a button and confirms the dialog if one opens."""
    button = action(page, label).first
    asks = button.evaluate("button => button.form.hasAttribute('data-confirm')")
    button.click()
    if asks:
        page.locator("dialog[open] [data-yes]").click()


def fails_to(page, label, is_unchanged):
    """Taps the button offline: the page reports it and stays, and nothing changes."""
    place = page.url
    cut(page)
    press(page, label)
    shows_message(page)
    expect(page).to_have_url(place)
    is_unchanged()


def opens_package_despite_cuts(page, tab, title):
    """Opens the package offline: the list shows its cached state, and the package itself needs a connection."""
    open_tab(page, tab)
    cut(page)
    tap_tab(page, tab)
    expect(package_card(page, title)).to_be_visible()
    expect(page.locator("#connection")).to_contain_text("No connection. Last updated")
    package_card(page, title).get_by_role("link").first.click()
    says_that_it_needs_a_connection(page)
    come_back_locked(page)
    expect(page.get_by_role("heading", name=title).first).to_be_visible(timeout=LONG)


def two_locked_people(own_server, sign_in):
    """Two people with a passcode, each in their own browser, on a server without other packages."""
    carrepsa = CarrepsaFixture(own_server(environment=RICH))
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    hers, his = with_worker(sign_in(olga)), with_worker(sign_in(karl))
    for someone in (olga, karl):
        set_passcode(someone)
    return carrepsa, olga, karl, hers, his


class LostResponse:
    """Loses the response of the next form: the request arrives and takes effect, then the connection is cut."""

    LOADS = 5

    def __init__(self, page):
        self.page, self.sent, self.is_active = page, [], False
        for _ in range(self.LOADS):
            intercept(page, "**/*", self.lose)
            page.evaluate("() => fetch('/health/live', { cache: 'no-store' }).then(() => null)")
            if self.is_active:
                return
            # Chromium excluded this page's requests from the interception. A page that is loaded again is included.
            page.unroute_all(behavior="wait")
            page.reload()
        raise AssertionError("the requests aren't intercepted")

    def lose(self, route):
        request, context = route.request, self.page.context
        if request.method != "POST":
            self.is_active = True
            return route.fallback()
        if self.sent:
            return route.abort()
        # Cut before the request takes effect, so that no other channel reports it.
        cut(self.page)
        cookies = context.cookies()
        answer = route.fetch(max_redirects=0)
        # The cookies that the lost response would have deleted are lost with it.
        context.clear_cookies()
        context.add_cookies(cookies)
        self.sent.append((request.url, request.post_data_buffer, request.headers, answer.status))
        return route.abort()

    def ends(self):
        self.page.unroute_all(behavior="wait")
        [(_, _, _, status)] = self.sent
        assert status in DONE, "it was done"

    def again(self):
        """Sends the same request again, like a retrying proxy, and returns the status."""
        [(url, body, headers, _)] = self.sent
        return self.page.context.request.post(url, data=body, headers=headers, max_redirects=0).status


def loses_the_answer(page, label):
    lost = LostResponse(page)
    press(page, label)
    shows_message(page, NO_ANSWER)
    lost.ends()
    return lost


@pytest.mark.spec("C-01")
def test_locked_delivery_survives_lost_connections_and_responses_at_each_step(own_server, sign_in):
    carrepsa, olga, karl, hers, his = two_locked_people(own_server, sign_in)
    title = REQUEST["Title"]

    def packages():
        return olga.call("GET", "/carrepsa/packages?role=owner", expect=200)["items"]

    # Olga posts the package: the link to the form, and the form.
    open_tab(hers, "My packages")
    cut(hers)
    tap_tab(hers, "New")
    says_that_it_needs_a_connection(hers)
    come_back_locked(hers)
    expect(hers.locator("#package-form")).to_be_visible(timeout=LONG)
    fill_request(hers, title)
    cut(hers)
    press(hers, "Request delivery")
    shows_message(hers)
    is_typed(hers, REQUEST)
    come_back_locked(hers)
    expect(toast(hers, "Your entries are restored.")).to_be_visible()
    is_typed(hers, REQUEST)
    assert packages() == []
    carrepsa.has((START, 0), (START, 0))
    loses_the_answer(hers, "Request delivery")
    assert len(packages()) == 1
    is_typed(hers, REQUEST)
    # The input returns after unlocking. Sending it again is the same request.
    come_back_locked(hers, reloads=True)
    is_typed(hers, REQUEST)
    press(hers, "Request delivery")
    expect(hers).to_have_url(PACKAGE)
    [package] = packages()
    offered = ((START - REWARD, REWARD), (START, 0))
    carrepsa.has(*offered)

    # Karl searches: the search text stays, and the search runs once there is a connection.
    open_tab(his, "Search")
    cut(his)
    field(his, "From").fill("aach")
    shows_message(his, "Check your connection")
    expect(field(his, "From")).to_have_value("aach")
    come_back_locked(his, reloads=True)
    expect(field(his, "From")).to_have_value("aach")
    expect(package_card(his, title)).to_be_visible()

    # Karl accepts the package, and Olga confirms pickup and delivery.
    held = ((START - REWARD, REWARD), (START - LOCK, LOCK))
    done = ((START - REWARD, 0), (START + REWARD, 0))
    opens_package_despite_cuts(his, "Search", title)
    for page, label, before, money_before, after, money_after in (
            (his, "Accept delivery", "available", offered, "accepted", held),
            (hers, "Confirm pickup", "accepted", held, "travelling", held),
            (hers, "Confirm delivery", "travelling", held, "delivered", done)):
        if page is hers and before == "accepted":
            opens_package_despite_cuts(hers, "My packages", title)
        elif page is hers:
            open_package(hers, "My packages", title)

        def is_unchanged(expected=before, money=money_before):
            assert state(olga, package) == expected
            carrepsa.has(*money)

        place = page.url
        fails_to(page, label, is_unchanged)
        # Once there is a connection, also after a lock, the step is still available.
        if page is his:
            come_back_locked(page, reloads=True)
        else:
            come_back(page)
        expect(page).to_have_url(place)
        is_unchanged()
        lost = loses_the_answer(page, label)
        assert state(karl, package) == after
        carrepsa.has(*money_after)
        # The page returns with the step done. Neither a tap nor a repeated request can do it again.
        come_back_locked(page, reloads=True)
        expect(page.get_by_role("heading", name=title).first).to_be_visible(timeout=LONG)
        expect(action(page, label)).to_have_count(0)
        assert lost.again() in DONE
        assert state(karl, package) == after
        carrepsa.has(*money_after)
    assert len(packages()) == 1
    carrepsa.is_sound()
    assert waiting(hers) == waiting(his) == [], "money never waits"


# F-17 and F-18 -------------------------------------------------------------------------------------------------------

def open_menu(page):
    plus = page.locator("header a.bar-icon")
    plus.click()
    menu = page.locator("dialog.actions[open]")
    expect(menu).to_be_visible()
    return menu


def tap_sign_out(page):
    open_menu(page).get_by_role("button", name=words("Sign out")).click()


def is_signed_in(page):
    return page.context.request.get("/family", headers=JSON).status != 401


def is_signed_out(page):
    page.wait_for_url(re.compile("/sign-in"))
    expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
    assert not is_signed_in(page)
    assert waiting(page) == []
    until(page, "async () => !(await caches.keys()).some((name) => /pages|pictures/.test(name))")


def rename(page, name):
    page.get_by_label(words("Name")).fill(name)
    page.locator("main form button[type=submit], header button[type=submit]").first.click()
    expect(toast(page, QUEUED)).to_be_visible()


def signs_out_despite_cuts(page, come_back, first_name, second_name, count_sessions):
    """Signs out by Account, plus and Sign out. Each step is first tried offline. Then the change and the sign-out take
    effect, but the browser gets neither response."""
    page.goto("/family")
    cut(page)
    tap_tab(page, "Account")
    says_that_it_needs_a_connection(page)
    come_back(page)
    expect(page).to_have_url(re.compile("/family/account$"))
    expect(page.locator("header a.bar-icon")).to_be_visible(timeout=LONG)

    # A pending change waits. The sign-out dialog says that it would be lost.
    page.goto("/family/account/edit")
    cut(page)
    rename(page, first_name)
    waits(page, 1)
    page.goto("/family/account")
    tap_sign_out(page)
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("lose what wasn’t sent")
    question.get_by_role("button", name=words("Sign out")).click()
    # Sign-out needs a connection, so no change is lost offline.
    shows_message(page)
    assert is_signed_in(page) and len(waiting(page)) == 1
    come_back(page)
    waits(page, 0)

    page.goto("/family/account/edit")
    lost = LostResponse(page)
    rename(page, second_name)
    lost.ends()
    waits(page, 1)
    come_back(page)
    waits(page, 0)

    page.goto("/family/account")
    cut(page)
    tap_sign_out(page)
    shows_message(page)
    expect(page).to_have_url(re.compile("/family/account$"))
    assert is_signed_in(page)
    come_back(page)
    assert is_signed_in(page)

    # Turns off the event stream, which the worker keeps open through the cut and which would report the sign-out.
    page.add_init_script("delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} };")
    before = count_sessions()
    # A form sent before its script has loaded would bypass this test.
    page.goto("/family/account", wait_until="networkidle")
    lost = LostResponse(page)
    tap_sign_out(page)
    # The page reports the missing response, or has already noticed that it is signed out.
    expect(toast(page, NO_ANSWER).or_(heading(page, "Sign in"))).to_be_visible()
    lost.ends()
    assert count_sessions() == before - 1
    page.context.set_offline(False)
    assert lost.again() in {*DONE, 401}
    assert count_sessions() == before - 1
    page.goto("/family/account")
    is_signed_out(page)


def version(person, path):
    return int(person.server.request("GET", path, token=person.token)[1]["ETag"].strip('"'))


@pytest.mark.spec("F-18-A")
def test_locked_parent_sign_out_survives_connection_loss_at_each_step(engine, server, sign_in):
    paula = Household(server)
    paula.child("Mia")
    page = with_worker(sign_in(paula))
    set_passcode(paula)
    before = version(paula, "/account")
    signs_out_despite_cuts(page, come_back_locked, "Paula Marie", "Paula Maria",
                           lambda: len(paula.call("GET", "/account/sessions", expect=200)["items"]))
    account = paula.call("GET", "/account", expect=200)
    assert account["name"] == "Paula Maria", "what was typed without a connection arrived"
    assert version(paula, "/account") == before + 2, "each name arrived once"


@pytest.mark.spec("F-17-A")
def test_child_sign_out_survives_connection_loss_at_each_step(engine, server, phone, sign_in):
    paula = Household(server)
    mia = paula.child("Mia")
    parents = sign_in(paula)
    parents.goto("/family")
    set_passcode(paula)
    page = with_worker(sign_in_by_link(phone(server), paula.code(mia), "Mia"))
    expect(own_card(page, mia)).to_be_visible()
    # A child has no lock, and the parents' lock doesn't apply to the child's device.
    assert page.context.request.delete("/lock/unlocking", headers=JSON).status in (403, 409)
    lock_session(parents)

    place = f"/family/children/{mia['id']}"
    before = version(paula, place)
    signs_out_despite_cuts(page, come_back, "Mia Marie", "Mia Maria",
                           lambda: len(paula.call("GET", f"{place}/devices", expect=200)["items"]))
    expect(heading(parents, "Locked")).to_be_visible()
    assert paula.call("GET", place, expect=200)["name"] == "Mia Maria"
    assert version(paula, place) == before + 2, "each name arrived once"
    assert paula.call("GET", f"{place}/devices", expect=200)["items"] == []
