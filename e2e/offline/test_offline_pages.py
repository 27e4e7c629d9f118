"""Offline: pages as they were last seen."""

import re

import pytest
from playwright.sync_api import expect

from support.layout_checks import SMALL, flaws
from support.offline import (
    LONG,
    go_offline,
    go_online,
    is_kept,
    is_refused,
    kept,
    open_waiting,
    proxied_server,
    rename_offline,
    see,
    waits,
    with_worker,
)
from support.pages import card, png, until, words
from support.patience import wait_until
from support.server import Person

pytestmark = pytest.mark.service_worker


def with_picture(someone):
    boundary = "picture-boundary"
    body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"k.png\"\r\n"
            "Content-Type: image/png\r\n\r\n").encode() + png() + f"\r\n--{boundary}--\r\n".encode()
    picture = someone.call("POST", "/pictures", body, expect=201,
                           headers={"Content-Type": f"multipart/form-data; boundary={boundary}"})
    return someone.add_item("Keys", pictureId=picture["id"])


def test_visited_page_opens_offline_with_pictures_and_age(engine, person, sign_in):
    someone = person()
    item = with_picture(someone)
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}")
    until(page, "() => [...document.images].every((image) => image.complete)")
    page.goto("/tracking/items")
    photo = card(page, "Keys").locator("img")
    expect(photo).to_be_visible()
    is_kept(page, f"/pictures/{item['pictureId']}", "picture")
    # A live update is cached, too.
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "Car keys"}, expect=200)
    expect(card(page, "Car keys")).to_be_visible()
    is_kept(page, "/tracking/items", "fragment", words="Car keys")

    go_offline(page)
    page.goto("/tracking/items")
    expect(card(page, "Car keys")).to_be_visible()
    banner = page.locator("#connection")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text(re.compile("No connection. Last updated (now|1 min ago)"))
    until(page, "() => [...document.querySelectorAll('main img')].every((image) => image.naturalWidth > 0)")
    # Links between pages work as usual.
    card(page, "Car keys").get_by_role("link", name=words("Car keys")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Keys")
    expect(banner).to_be_visible()
    # The start address of the installed app leads to the list.
    page.goto("/tracking")
    expect(card(page, "Car keys")).to_be_visible()

    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "House keys"}, expect=200)
    go_online(page)
    expect(card(page, "House keys")).to_be_visible(timeout=LONG)
    expect(banner).to_be_hidden()


def test_unvisited_page_shows_a_message_and_loads_once_online(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Umbrella")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    page.goto("/tracking/items?limit=20")
    is_kept(page, "/tracking/items", query="limit=20")
    is_kept(page, "/tracking/items/new")
    go_offline(page)
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("main")).to_contain_text("hasn’t been opened on this device yet")
    # The placeholder lists visited pages, but not prefetched forms.
    expect(page.locator("[data-offline-list] a[href='/tracking/items']")).to_have_count(1)
    expect(page.locator("[data-offline-list] a[href$='/new']")).to_have_count(0)
    page.get_by_role("link", name=re.compile("^Items")).click()
    expect(card(page, "Umbrella")).to_be_visible()
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    go_online(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Umbrella", timeout=LONG)


def test_cache_size_is_limited(engine, person, sign_in):
    page = with_worker(sign_in(person()))
    see(page, "/tracking/items")
    # Older pages, stored as the worker stores them, and then one that the worker stores.
    page.evaluate("""async () => {
      const name = (await caches.keys()).find((one) => one.startsWith("homeward-pages-"));
      const cache = await caches.open(name);
      for (let limit = 1; limit < 125; limit += 1)
        await cache.put(`/tracking/items?limit=${limit}&homeward-face=fragment`, new Response("older"));
      await fetch("/tracking/items?limit=125", { headers: { "HX-Request": "true", Accept: "text/html" } });
    }""")
    until(page, """async () => {
      const name = (await caches.keys()).find((one) => one.startsWith("homeward-pages-"));
      const addresses = (await (await caches.open(name)).keys()).map(({ url }) => url);
      const has = (limit) => addresses.some((url) => url.includes(`limit=${limit}&`));
      return addresses.length <= 120 && has(125) && has(124) && !has(1);
    }""")


def test_offline_pages_are_accessible(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Grandmother's enormous leather travelling bag")
    page = with_worker(sign_in(someone, viewport=SMALL))
    problems = {}

    def look(view):
        if found := flaws(page):
            problems[view] = found

    for path in ("/tracking/items", f"/tracking/items/{item['id']}", f"/tracking/items/{item['id']}/edit"):
        see(page, path)
    go_offline(page)
    rename_offline(page, item, "Another name that is long enough for two lines")
    expect(page.locator("#connection")).to_be_visible()
    waits(page, 1)
    look("a page as it was last seen, with what waits")
    open_waiting(page)
    look("what waits")
    page.goto("/tracking/alerts")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    look("a page that was never seen")
    someone.call("DELETE", f"/tracking/items/{item['id']}", expect=204)
    go_online(page)
    is_refused(page, 1)
    open_waiting(page)
    look("what was refused")
    go_offline(page)
    page.goto("/lock")
    expect(page.get_by_role("heading", level=1)).to_have_text("Locked")
    look("locked")
    assert not problems


def request_halved_response(page, proxy, path):
    """Requests a page and waits until its response has stopped in the middle."""
    proxy.has_halved.clear()
    proxy.halved = path
    # Not awaited: its content never ends.
    page.evaluate("path => void fetch(path, { headers: { 'HX-Request': 'true' } })", path)
    assert proxy.has_halved.wait(20)


def test_a_response_that_stops_in_the_middle_delays_no_cached_page_and_keeps_none_of_another_account(sign_in):
    with proxied_server() as (server, proxy):
        someone, other = Person(server), Person(server, "Eve")
        item = someone.add_item("Keys")
        page = with_worker(sign_in(someone))
        see(page, "/tracking/items")
        see(page, f"/tracking/items/{item['id']}")
        request_halved_response(page, proxy, f"/tracking/items/{item['id']}?q=")
        go_offline(page)
        page.goto("/tracking/items")
        expect(card(page, "Keys")).to_be_visible()

        # A page without requests of its own: the first one of the other person stops in the middle.
        go_online(page)
        page.goto("/offline")
        page.context.clear_cookies()
        signed_in = page.context.request.post(
            "/session", form={"email": other.email, "password": other.password}, max_redirects=0,
            headers={"Accept": "text/html"})
        assert signed_in.status == 303
        request_halved_response(page, proxy, "/tracking/items?q=")
        wait_until(lambda: kept(page) == [], pause=lambda: page.wait_for_timeout(50))
        go_offline(page)
        page.goto("/tracking/items")
        expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
