"""Launching an app: the cached page is shown before the server responds, and then updated."""

import re
import signal

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from support.offline import see, with_worker
from support.pages import card
from support.patience import wait_until
from support.server import Person

pytestmark = pytest.mark.service_worker

LIST = "/tracking/items"
PASSCODE = "271828"
LAUNCHED = "html[data-launched-at]"


@pytest.fixture
def opened_once(own_server, sign_in):
    """A person who viewed the list once and closed the app."""
    server = own_server()
    someone = Person(server)
    someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, LIST)
    return server, someone, closed(page)


def closed(page):
    """Waits until the service worker has no window left, and returns the browser."""
    context = page.context
    page.close()
    worker = context.service_workers[0]
    wait_until(
        lambda: worker.evaluate("clients.matchAll({ includeUncontrolled: true }).then((all) => all.length)") == 0, 10)
    return context


def open_app(context, path=LIST):
    page = context.new_page()
    page.goto(path, wait_until="commit")
    return page


def test_cached_list_is_shown_until_the_server_responds(opened_once):
    server, someone, context = opened_once
    someone.add_item("Bicycle")
    server.process.send_signal(signal.SIGSTOP)
    try:
        page = open_app(context)
        expect(card(page, "Keys")).to_be_visible()
        expect(page.locator(LAUNCHED)).to_be_attached()
        expect(card(page, "Bicycle")).to_have_count(0)
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(card(page, "Bicycle")).to_be_visible(timeout=15_000)
    expect(page.locator(LAUNCHED)).to_have_count(0)
    expect(page.locator("#connection")).to_be_hidden()


def test_styles_and_scripts_come_from_the_cache_without_the_worker(opened_once):
    _, _, context = opened_once
    page = open_app(context)
    expect(card(page, "Keys")).to_be_visible()
    found = page.evaluate("""() => performance.getEntriesByType("resource")
      .map(({ name, workerFinalSourceType, workerFinalRouterSource }) => [
        new URL(name).pathname.split("/").slice(3).join("/"), workerFinalSourceType ?? workerFinalRouterSource])""")
    sources = dict(found)
    assert {name: sources.get(name) for name in ("css/all.css", "js/early.js")} == {
        "css/all.css": "cache", "js/early.js": "cache"}, found


def test_cached_page_shows_its_age_without_a_server(opened_once):
    server, _, context = opened_once
    server.stop()
    page = open_app(context)
    expect(card(page, "Keys")).to_be_visible()
    expect(page.locator("#connection.is-inline")).to_contain_text("Last updated")
    server.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=40_000)


def test_cached_list_is_replaced_by_sign_in_after_the_session_ends(opened_once):
    _, someone, context = opened_once
    for session in someone.call("GET", "/account/sessions")["items"]:
        if not session["current"]:
            someone.call("DELETE", f"/account/sessions/{session['id']}")
    page = open_app(context)
    expect(page.get_by_label("Password")).to_be_visible(timeout=15_000)
    expect(card(page, "Keys")).to_have_count(0)


def test_nothing_is_shown_before_the_passcode_is_entered(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    someone.call("PUT", "/lock/passcode", {"passcode": PASSCODE, "repeat": PASSCODE}, expect=204)
    page.reload()
    see(page, LIST)
    context = closed(page)
    server.process.send_signal(signal.SIGSTOP)
    try:
        page = context.new_page()
        # Nothing replaces the empty page.
        with pytest.raises(PlaywrightTimeout):
            page.goto(LIST, wait_until="commit", timeout=1_500)
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(page).to_have_url(re.compile("/lock"), timeout=15_000)


def test_open_app_asks_the_server_first(opened_once):
    _, someone, context = opened_once
    page = open_app(context)
    expect(page.locator(LAUNCHED)).to_have_count(0, timeout=15_000)
    someone.add_item("Umbrella")
    other = open_app(context)
    expect(card(other, "Umbrella")).to_be_visible()
    assert other.locator(LAUNCHED).count() == 0
