"""Signing out and a whole delivery with the lock on and the connection cut at each step: one is told so, nothing that was
typed is lost, and nothing happens twice."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Household, own_card, sign_in_by_link
from support.lock import heading, set_passcode, unlock
from support.offline import LONG, QUEUED, waiting, waits, with_worker
from support.pages import intercept, toast, until, words
from support.parcels import (
    ANY_LIST, LOCK, MINE, REWARD, START, Village, action, do, field, fill_request, open_tab, parcel, state,
)

NOT_SENT = "No connection: nothing was sent. Try again."
NO_ANSWER = "No response from the server. Check before you try again."
JSON = {"Accept": "application/json"}
# Where to go on is told by a redirect, or by a header where a script has sent the form.
DONE = {200, 201, 204, 303}


def cut(page):
    page.context.set_offline(True)
    until(page, "() => !navigator.onLine")


def come_back(page):
    page.context.set_offline(False)


def lock_meanwhile(page):
    """What happens to a session that is left alone, or from another of its windows. This phone can't hear of it."""
    assert page.context.request.delete("/lock/unlocking", headers=JSON).status == 204


def come_back_locked(page):
    """The connection is back: the page finds out by itself that it is locked, shows nothing else, and opens where it was."""
    lock_meanwhile(page)
    come_back(page)
    expect(heading(page, "Locked")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("navigation")).to_have_count(0)
    unlock(page)
    expect(heading(page, "Locked")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-live", "open", timeout=LONG)


def says_that_it_needs_a_connection(page):
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("main")).to_contain_text("needs a connection")


def is_told(page, text=NOT_SENT):
    expect(toast(page, text)).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def tap_tab(page, name):
    page.get_by_role("navigation").get_by_role("link", name=words(name)).click()


# C-01 ----------------------------------------------------------------------------------------------------------------

REQUEST = {"Title": "Bike helmet", "From": "Aachen", "To": "Bonn", "Weight": "1.2", "Reward": "12.00", "Deposit": "40.00"}


def is_typed(page, values):
    for label, text in values.items():
        expect(field(page, label)).to_have_value(text)


def press(page, label):
    """Taps a button, and says yes where the page asks."""
    button = action(page, label).first
    asks = button.evaluate("button => button.form.hasAttribute('data-confirm')")
    button.click()
    if asks:
        page.locator("dialog[open] [data-yes]").click()


def fails_to(page, label, is_unchanged):
    """The step without a connection: it is told, the page stays, and nothing has happened; locked in between, it is still
    there to be taken."""
    place = page.url
    cut(page)
    press(page, label)
    is_told(page)
    expect(page).to_have_url(place)
    is_unchanged()
    come_back_locked(page)
    expect(page).to_have_url(place)
    is_unchanged()


def opens_parcel_despite_all(page, tab, title):
    """The list opens as it was last seen, or not at all; the parcel itself never does."""
    open_tab(page, tab)
    cut(page)
    tap_tab(page, tab)
    expect(parcel(page, title)).to_be_visible()
    expect(page.locator("#connection")).to_contain_text("No connection. Last updated")
    parcel(page, title).get_by_role("link").first.click()
    says_that_it_needs_a_connection(page)
    come_back_locked(page)
    expect(page.get_by_role("heading", name=title).first).to_be_visible(timeout=LONG)


def locked_neighbours(own_server, sign_in):
    """Two with a passcode, and the app of each; nobody else's parcels are in the list."""
    village = Village(own_server())
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    hers, his = with_worker(sign_in(olga)), with_worker(sign_in(karl))
    for someone in (olga, karl):
        set_passcode(someone)
    return village, olga, karl, hers, his


@pytest.mark.spec("C-01")
def test_a_whole_delivery_with_the_lock_on_and_the_connection_cut_at_each_step(own_server, sign_in):
    village, olga, karl, hers, his = locked_neighbours(own_server, sign_in)
    title = REQUEST["Title"]

    # She asks for it: the way to the form, and the form.
    open_tab(hers, "My packages")
    cut(hers)
    tap_tab(hers, "New")
    says_that_it_needs_a_connection(hers)
    come_back_locked(hers)
    expect(hers.locator("#package-form")).to_be_visible(timeout=LONG)
    fill_request(hers, title)
    nothing_posted = lambda: village.has((START, 0), (START, 0))  # noqa: E731
    cut(hers)
    press(hers, "Request delivery")
    is_told(hers)
    is_typed(hers, REQUEST)
    nothing_posted()
    come_back_locked(hers)
    expect(toast(hers, "Your entries are restored.")).to_be_visible()
    is_typed(hers, REQUEST)
    nothing_posted()
    do(hers, "Request delivery")
    expect(hers).to_have_url(ANY_LIST)
    [package] = olga.call("GET", "/carrepsa/packages?role=owner", expect=200)["items"]
    village.has((START - REWARD, REWARD), (START, 0))

    # He finds it: what he looks for stays typed, and is looked for once there is a connection.
    open_tab(his, "Search")
    cut(his)
    field(his, "From").fill("aach")
    is_told(his, "Check your connection")
    expect(field(his, "From")).to_have_value("aach")
    come_back_locked(his)
    expect(field(his, "From")).to_have_value("aach")
    expect(parcel(his, title)).to_be_visible()
    opens_parcel_despite_all(his, "Search", title)
    fails_to(his, "Accept delivery", lambda: village.has((START - REWARD, REWARD), (START, 0)))
    assert state(olga, package) == "available"
    do(his, "Accept delivery")
    expect(his).to_have_url(ANY_LIST)
    assert state(karl, package) == "accepted"
    village.has((START - REWARD, REWARD), (START - LOCK, LOCK))
    opens_parcel_despite_all(his, "My deliveries", title)

    # She confirms both.
    for label, before, after in (("Confirm pickup", "accepted", "travelling"), ("Confirm delivery", "travelling", "delivered")):
        opens_parcel_despite_all(hers, "My packages", title)
        fails_to(hers, label, lambda: village.has((START - REWARD, REWARD), (START - LOCK, LOCK)))
        assert state(olga, package) == before
        do(hers, label)
        expect(hers).to_have_url(MINE)
        assert state(karl, package) == after
    village.has((START - REWARD, 0), (START + REWARD, 0))
    village.is_sound()
    assert waiting(hers) == waiting(his) == [], "money never waits"


class Lost:
    """From the next form on: it arrives and is done, the connection is cut, and no answer comes back."""

    def __init__(self, page):
        self.page, self.sent = page, []
        intercept(page, "**/*", self.lose)

    def lose(self, route):
        request, context = route.request, self.page.context
        if request.method != "POST":
            return route.fallback()
        if self.sent:
            return route.abort()
        # Before it is done, so that nothing else can tell of it.
        cut(self.page)
        cookies = context.cookies()
        answer = route.fetch(max_redirects=0)
        # With the answer goes what it would have told the browser to forget.
        context.clear_cookies()
        context.add_cookies(cookies)
        self.sent.append((request.url, request.post_data_buffer, request.headers, answer.status))
        return route.abort()

    def ends(self):
        self.page.unroute_all(behavior="wait")
        [(_, _, _, status)] = self.sent
        assert status in DONE, "it was done"

    def again(self):
        """The same request once more, as whatever stands between may send it; gives the status."""
        [(url, body, headers, _)] = self.sent
        return self.page.context.request.post(url, data=body, headers=headers, max_redirects=0).status


def loses_the_answer(page, label):
    lost = Lost(page)
    press(page, label)
    is_told(page, NO_ANSWER)
    lost.ends()
    return lost


@pytest.mark.spec("C-01")
def test_a_whole_delivery_with_the_lock_on_whose_answers_are_lost_happens_once(own_server, sign_in):
    village, olga, karl, hers, his = locked_neighbours(own_server, sign_in)
    title = REQUEST["Title"]

    def packages():
        return olga.call("GET", "/carrepsa/packages?role=owner", expect=200)["items"]

    open_tab(hers, "New")
    fill_request(hers, title)
    loses_the_answer(hers, "Request delivery")
    assert len(packages()) == 1
    is_typed(hers, REQUEST)
    # What was typed comes back behind the lock. Sent once more, it is the same request.
    come_back_locked(hers)
    is_typed(hers, REQUEST)
    press(hers, "Request delivery")
    expect(hers).to_have_url(ANY_LIST)
    [package] = packages()
    village.has((START - REWARD, REWARD), (START, 0))

    held = ((START - REWARD, REWARD), (START - LOCK, LOCK))
    done = ((START - REWARD, 0), (START + REWARD, 0))
    for page, tab, label, after, money in (
            (his, "Search", "Accept delivery", "accepted", held), (hers, "My packages", "Confirm pickup", "travelling", held),
            (hers, "My packages", "Confirm delivery", "delivered", done)):
        open_tab(page, tab)
        parcel(page, title).get_by_role("link").first.click()
        expect(page.get_by_role("heading", name=title).first).to_be_visible()
        lost = loses_the_answer(page, label)
        assert state(karl, package) == after
        village.has(*money)
        # It comes back to what has happened, which can't be done twice: by no tap, and by no second request.
        come_back_locked(page)
        expect(page.get_by_role("heading", name=title).first).to_be_visible(timeout=LONG)
        expect(action(page, label)).to_have_count(0)
        assert lost.again() in DONE
        assert state(karl, package) == after
        village.has(*money)
    assert len(packages()) == 1
    village.is_sound()
    assert waiting(hers) == waiting(his) == []


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


def signs_out_despite_all(page, come_back, rename):
    """Account, plus, Sign out: each tapped first without a connection."""
    page.goto("/family")
    cut(page)
    tap_tab(page, "Account")
    says_that_it_needs_a_connection(page)
    come_back(page)
    expect(page).to_have_url(re.compile("/family/account$"))
    expect(page.locator("header a.bar-icon")).to_be_visible(timeout=LONG)

    # Something that was typed waits; the way out says what it would cost.
    page.goto("/family/account/edit")
    cut(page)
    rename(page)
    waits(page, 1)
    page.goto("/family/account")
    tap_sign_out(page)
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("lose what wasn't sent")
    question.get_by_role("button", name=words("Sign out")).click()
    # Without a connection there is no signing out, and so nothing is lost by it.
    is_told(page)
    assert is_signed_in(page) and len(waiting(page)) == 1
    come_back(page)
    waits(page, 0)

    page.goto("/family/account")
    cut(page)
    tap_sign_out(page)
    is_told(page)
    expect(page).to_have_url(re.compile("/family/account$"))
    assert is_signed_in(page)
    come_back(page)
    assert is_signed_in(page)
    page.goto("/family/account")
    tap_sign_out(page)
    is_signed_out(page)


def rename_to(name):
    def rename(page):
        page.get_by_label(words("Name")).fill(name)
        page.locator("main form button[type=submit], header button[type=submit]").first.click()
        expect(toast(page, QUEUED)).to_be_visible()

    return rename


@pytest.mark.spec("F-18-A")
def test_a_parent_signs_out_with_the_lock_on_and_the_connection_cut_at_each_step(engine, server, sign_in):
    paula = Household(server)
    paula.child("Mia")
    page = with_worker(sign_in(paula))
    set_passcode(paula)
    signs_out_despite_all(page, come_back_locked, rename_to("Paula Marie"))
    assert paula.call("GET", "/account", expect=200)["name"] == "Paula Marie", "what was typed without a connection arrived"


@pytest.mark.spec("F-17-A")
def test_a_child_signs_out_with_the_parents_lock_on_and_the_connection_cut_at_each_step(engine, server, phone, sign_in):
    paula = Household(server)
    mia = paula.child("Mia")
    parents = sign_in(paula)
    parents.goto("/family")
    set_passcode(paula)
    page = with_worker(sign_in_by_link(phone(server), paula.code(mia), "Mia"))
    expect(own_card(page, mia)).to_be_visible()
    # A child has no lock, and its parents' is none of its device.
    assert page.context.request.delete("/lock/unlocking", headers=JSON).status in (403, 409)
    lock_meanwhile(parents)

    signs_out_despite_all(page, come_back, rename_to("Mia Marie"))
    expect(heading(parents, "Locked")).to_be_visible()
    assert paula.call("GET", f"/family/children/{mia['id']}", expect=200)["name"] == "Mia Marie"
    assert paula.call("GET", f"/family/children/{mia['id']}/devices", expect=200)["items"] == []


def signs_out_without_an_answer(page, come_back, rename, count_sessions):
    """What was typed and the sign-out itself arrive, and the browser hears of neither."""
    page.goto("/family/account/edit")
    lost = Lost(page)
    rename(page)
    lost.ends()
    waits(page, 1)
    come_back(page)
    waits(page, 0)

    # The stream of changes, which a browser's worker holds and no cut reaches here, would tell of it.
    page.add_init_script("delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} };")
    before = count_sessions()
    # A form that no script sends yet is sent past this test.
    page.goto("/family/account", wait_until="networkidle")
    lost = Lost(page)
    tap_sign_out(page)
    # It says so, or has found out by itself that nobody is signed in here any more.
    expect(toast(page, NO_ANSWER).or_(heading(page, "Sign in"))).to_be_visible()
    lost.ends()
    assert count_sessions() == before - 1
    page.context.set_offline(False)
    assert lost.again() in {*DONE, 401}
    assert count_sessions() == before - 1
    page.goto("/family/account")
    is_signed_out(page)


@pytest.mark.spec("F-18-A")
def test_a_parent_whose_answers_are_lost_is_signed_out_once_with_the_lock_on(engine, server, sign_in):
    paula = Household(server)
    page = with_worker(sign_in(paula))
    set_passcode(paula)

    def version():
        return int(server.request("GET", "/account", token=paula.token)[1]["ETag"].strip('"'))

    def sessions():
        return len(paula.call("GET", "/account/sessions", expect=200)["items"])

    before = version()
    signs_out_without_an_answer(page, come_back_locked, rename_to("Paula Marie"), sessions)
    assert paula.call("GET", "/account", expect=200)["name"] == "Paula Marie"
    assert version() == before + 1, "renamed once"


@pytest.mark.spec("F-17-A")
def test_a_child_whose_answers_are_lost_is_signed_out_once_with_the_parents_lock_on(engine, server, phone, sign_in):
    paula = Household(server)
    mia = paula.child("Mia")
    set_passcode(paula)
    page = with_worker(sign_in_by_link(phone(server), paula.code(mia), "Mia"))
    place = f"/family/children/{mia['id']}"

    def version():
        return int(server.request("GET", place, token=paula.token)[1]["ETag"].strip('"'))

    def devices():
        return len(paula.call("GET", f"{place}/devices", expect=200)["items"])

    before = version()
    signs_out_without_an_answer(page, come_back, rename_to("Mia Marie"), devices)
    assert paula.call("GET", place, expect=200)["name"] == "Mia Marie"
    assert version() == before + 1, "renamed once"
