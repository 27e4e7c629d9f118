"""Launching an app: the cached page is shown before the server responds, and then updated."""

import re
import signal

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from support.lock import set_passcode
from support.offline import LONG, is_kept, see, with_worker
from support.pages import card, fill_sign_in
from support.patience import wait_until
from support.server import Person

pytestmark = pytest.mark.service_worker

LIST = "/tracking/items"
LAUNCHED = "html[data-launched-at]"


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


def test_cached_list_is_shown_until_the_server_responds(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, LIST)
    context = closed(page)
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
    # Styles and scripts came from the cache without the worker.
    found = page.evaluate("""() => performance.getEntriesByType("resource")
      .map(({ name, workerFinalSourceType, workerFinalRouterSource }) => [
        new URL(name).pathname.split("/").slice(3).join("/"), workerFinalSourceType ?? workerFinalRouterSource])""")
    sources = dict(found)
    assert {name: sources.get(name) for name in ("css/all.css", "js/early.js")} == {
        "css/all.css": "cache", "js/early.js": "cache"}, found

    # A second window of the open app asks the server first.
    someone.add_item("Umbrella")
    other = open_app(context)
    expect(card(other, "Umbrella")).to_be_visible()
    assert other.locator(LAUNCHED).count() == 0
    is_kept(other, LIST, words="Umbrella")
    page.close()
    closed(other)

    # Without a server, the page shows its age.
    server.stop()
    page = open_app(context)
    expect(card(page, "Umbrella")).to_be_visible()
    expect(page.locator("#connection.is-inline")).to_contain_text("Last updated")
    assert page.evaluate("() => navigator.onLine"), "the browser itself knows nothing of it"
    # So does a page that is opened by a link of the open app.
    page.goto(LIST)
    expect(card(page, "Umbrella")).to_be_visible()
    expect(page.locator("#connection")).to_contain_text("Last updated")
    server.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=LONG)


def test_cached_list_is_not_shown_after_the_session_ends_or_before_the_passcode_is_entered(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, LIST)
    context = closed(page)
    for session in someone.call("GET", "/account/sessions")["items"]:
        if not session["current"]:
            someone.call("DELETE", f"/account/sessions/{session['id']}")
    page = open_app(context)
    expect(page.get_by_label("Password")).to_be_visible(timeout=15_000)
    expect(card(page, "Keys")).to_have_count(0)

    fill_sign_in(page, someone)
    set_passcode(someone)
    page.reload()
    see(page, LIST)
    closed(page)
    server.process.send_signal(signal.SIGSTOP)
    try:
        page = context.new_page()
        # Nothing replaces the empty page.
        with pytest.raises(PlaywrightTimeout):
            page.goto(LIST, wait_until="commit", timeout=1_500)
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(page).to_have_url(re.compile("/lock"), timeout=15_000)
