"""Every view on a small phone: no sideways scrolling, nothing clipped in large text, targets that a thumb hits."""

import time

import pytest

from playwright.sync_api import expect

from support.pages import png
from test_tracking_items import HOME, north, upload

VIEWS = [
    "/", "/tracking/items", "/tracking/items/new", "/tracking/items/{item}", "/tracking/items/{item}/edit",
    "/tracking/items/{item}/fixes", "/tracking/items/{item}/tracker", "/tracking/items/{empty}", "/tracking/sources",
    "/tracking/quarantine", "/account", "/account/sessions", "/pictures",
    "/carrepsa/packages", "/carrepsa/packages?from=nowhere", "/carrepsa/packages?role=owner",
    "/carrepsa/packages?role=owner&past=true", "/carrepsa/packages?role=carrier", "/carrepsa/packages/new",
    "/carrepsa/packages/{offered}", "/carrepsa/packages/{travelling}", "/carrepsa/packages/{carried}",
    "/carrepsa/packages/{others}", "/carrepsa/profile", "/carrepsa/wallet/entries", "/carrepsa/people/{neighbour}",
    "/carrepsa/packages/{offered}/questions/withdraw", "/carrepsa/disputes", "/carrepsa/ledger",
]
SIGNED_OUT = ["/sign-in", "/register", "/carrepsa"]

TOO_SMALL = """() => {
  const small = [];
  for (const element of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, [role=switch]')) {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!box.width || !box.height || style.visibility === 'hidden' || element.closest('[aria-hidden=true], .leaflet-control-attribution, .visually-hidden')) continue;
    if (box.width <= 1 || box.height <= 1 || style.clipPath !== 'none' || +style.opacity === 0) continue;
    // A link inside a sentence is as high as its line (WCAG 2.5.8 excepts it).
    if (element.matches('p a, .field-hint a, .group-note a')) continue;
    element.scrollIntoView({block: 'center', behavior: 'instant'});
    const at = element.getBoundingClientRect();
    const middle = [at.left + at.width / 2, at.top + at.height / 2];
    const labels = [...(element.labels || [])];
    const hits = (x, y) => {
      const hit = document.elementFromPoint(x, y);
      return hit && (hit === element || element.contains(hit) || labels.some(label => label === hit || label.contains(hit)));
    };
    const reach = 21;
    const wide = at.width >= 43.5 || labels.some(label => label.getBoundingClientRect().width >= 43.5) || (hits(middle[0] - reach, middle[1]) && hits(middle[0] + reach, middle[1]));
    const high = at.height >= 43.5 || labels.some(label => label.getBoundingClientRect().height >= 43.5) || (hits(middle[0], middle[1] - reach) && hits(middle[0], middle[1] + reach));
    if (!wide || !high) small.push(`${element.outerHTML.slice(0, 120)} ${Math.round(at.width)}x${Math.round(at.height)}`);
  }
  return small;
}"""

CLIPPED = """() => [...document.querySelectorAll('main *, header *, nav *')].filter(element => {
  const style = getComputedStyle(element);
  const hides = value => value === 'hidden' || value === 'clip';
  if (element.closest('.leaflet-container, [aria-hidden=true], .visually-hidden, svg, .sheet')) return false;
  if (![...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim())) return false;
  if (!element.getClientRects().length || style.clipPath !== 'none') return false;
  return (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1)
      || (hides(style.overflowY) && element.scrollHeight > element.clientHeight + 2);
}).map(element => element.outerHTML.slice(0, 160))"""


@pytest.fixture(scope="session")
def furnished(servers):
    """Someone whose views all have something to show."""
    from support.server import Person

    server = servers("sqlite")
    someone = Person(server, "Maximiliane von Hohenzollern-Sigmaringen", phone="+49 151 23456789")
    item = someone.add_item("Grandmother's enormous leather travelling bag", pictureId=upload(someone))
    secret = someone.add_osmand_tracker(item)
    someone.is_at(*HOME)
    for number in range(12):
        someone.report(secret, *north(number * 40), at=time.time() - 7200 + number * 600, batt=20 - number)
    someone.report(secret, 91, 6)
    return someone, {"item": item["id"], "empty": someone.add_item("Keys")["id"], **parcels_of(someone)}


def parcels_of(someone):
    """Parcels in each state, sent and carried, one of them in dispute; and the rights of an operator."""
    from support.parcels import act, post
    from support.server import Person

    neighbour = Person(someone.server, "Bartholomäus Freiherr von Münchhausen", phone="+49 151 98765432")
    for one in (someone, neighbour):
        one.call("GET", "/carrepsa/wallet", expect=200)
        assert someone.server.command("wallet", "top-up", one.email, "1234567.89").returncode == 0
    assert someone.server.command("account", "operator", someone.email).returncode == 0
    long = {"from": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", "to": "Donaudampfschifffahrtsgasse 17, Wien",
            "reward": 123_456, "moneyLock": 9_876_543, "weight": 999_999}
    offered = post(someone, "Grandmother's enormous leather travelling bag", description="Handle with care. " * 20, **long)
    travelling, carried, done = post(someone, "Rocking horse", **long), post(neighbour, "Cello", **long), post(someone, "Lamp")
    others = post(neighbour, "Wardrobe", **long)
    act(neighbour, travelling, "acceptance")
    act(someone, travelling, "pickup")
    act(neighbour, travelling, "delivery-report")
    act(neighbour, travelling, "cancellation-request")
    act(someone, travelling, "dispute", body={"reason": "It never arrived, whatever anybody says."})
    act(someone, carried, "acceptance")
    act(neighbour, done, "acceptance")
    act(someone, done, "pickup")
    act(someone, done, "delivery")
    return {"offered": offered["id"], "travelling": travelling["id"], "carried": carried["id"], "others": others["id"],
            "neighbour": neighbour.id}


def check(page, view):
    page.goto(view)
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], "scrolls sideways"


@pytest.mark.parametrize("scale", [1, 2])
def test_every_view_fits_a_small_phone(furnished, sign_in, scale):
    someone, ids = furnished
    page = sign_in(someone, viewport={"width": 320, "height": 568})
    if scale != 1:
        page.add_init_script(
            "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })")
    problems = {}
    for view in VIEWS:
        check(page, view.format(**ids))
        clipped = page.evaluate(CLIPPED)
        if clipped:
            problems[view] = clipped
    assert not problems


def test_every_target_is_large_enough_for_a_thumb(furnished, sign_in, phone):
    someone, ids = furnished
    problems = {}
    pages = [(sign_in(someone), VIEWS), (phone(someone.server), SIGNED_OUT)]
    for page, views in pages:
        for view in views:
            check(page, view.format(**ids))
            small = page.evaluate(TOO_SMALL)
            if small:
                problems[view] = small
    assert not problems


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_accessible(furnished, sign_in, phone, scheme):
    from axe_playwright_python.sync_playwright import Axe

    someone, ids = furnished
    problems = {}
    pages = [(sign_in(someone, color_scheme=scheme), VIEWS), (phone(someone.server, color_scheme=scheme), SIGNED_OUT)]
    for page, views in pages:
        for view in views:
            check(page, view.format(**ids))
            found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}).response["violations"]
            if found:
                problems[view] = [(one["id"], one["nodes"][0]["html"][:160]) for one in found]
    assert not problems


def test_german_pages_are_german(furnished, phone, playwright):
    someone, _ = furnished
    page = phone(someone.server, locale="de-DE")
    page.goto("/sign-in")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.get_by_role("button", name="Anmelden").count()


# Words that go on in another line without a hyphen, or a place for one.
TORN = """() => {
  const torn = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!parent.getClientRects().length || parent.closest('.hidden, [aria-hidden=true], svg, .code, .secret, [translate=no]')) continue;
    for (const word of node.data.matchAll(/[\\p{L}\\u00ad]{4,}/gu)) {
      const range = document.createRange();
      let line = null;
      for (let at = word.index; at < word.index + word[0].length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = [...range.getClientRects()].filter((part) => part.width > 0).at(-1);
        if (!box) continue;
        if (line !== null && box.top > line + 3 && node.data[at - 1] !== '\\u00ad') torn.push(word[0]);
        line = box.top;
      }
    }
  }
  return torn;
}"""


def test_german_words_are_not_torn_apart_on_a_small_phone(server, person, phone):
    someone = person("Ada")
    item = someone.add_item("Rucksack")
    page = phone(someone.server, locale="de-DE", viewport={"width": 320, "height": 568})
    problems = {}
    for view in [*SIGNED_OUT, "/forgotten-password"]:
        check(page, view)
        problems[view] = page.evaluate(TORN)
    page.goto("/sign-in")
    page.locator("#email").fill(someone.email)
    page.locator("#password").fill(someone.password)
    page.get_by_role("button", name="Anmelden", exact=True).click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    for view in ["/", "/account", "/account/edit", "/account/password", "/account/delete", "/account/sessions",
                 "/account/choices/maps", "/pictures", "/tracking/items", "/tracking/items/new", "/tracking/sources",
                 "/tracking/sources/new", f"/tracking/items/{item['id']}", f"/tracking/items/{item['id']}/edit",
                 f"/tracking/items/{item['id']}/tracker"]:
        check(page, view)
        problems[view] = page.evaluate(TORN)
    assert not {view: words for view, words in problems.items() if words}
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).hyphens") == "auto"


# Parts of the bar that lie on top of each other.
OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll('.bar-link > span, h1.bar-title')].filter((part) => part.getClientRects().length)
    .map((part) => ({ words: part.textContent, box: part.getBoundingClientRect() }));
  return boxes.flatMap((one, index) => boxes.slice(index + 1)
    .filter((other) => one.box.left < other.box.right - 1 && other.box.left < one.box.right - 1
      && one.box.top < other.box.bottom - 1 && other.box.top < one.box.bottom - 1)
    .map((other) => [one.words, other.words]));
}"""


def test_the_words_in_the_bar_keep_apart_in_large_german_text(server, person, sign_in):
    someone = person("Ada")
    someone.call("PATCH", "/account", {"language": "de"}, expect=200)
    item = someone.add_item("Rucksack")
    page = sign_in(someone, viewport={"width": 320, "height": 568})
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })")
    for view in [f"/tracking/items/{item['id']}/edit", "/tracking/items/new", f"/tracking/items/{item['id']}",
                 "/account/edit", "/account/password"]:
        check(page, view)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        assert page.evaluate(OVERLAPPING) == [], view
        edges = page.locator(".bar-link:visible").evaluate_all(
            "links => links.map((link) => [link.getBoundingClientRect().left, link.getBoundingClientRect().right])")
        assert all(left >= 0 and right <= 320 for left, right in edges), (view, edges)
