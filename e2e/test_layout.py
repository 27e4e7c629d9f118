"""Every view on a small phone: no sideways scrolling, nothing clipped in large text, targets that a thumb hits."""

import time

import pytest

from playwright.sync_api import expect

from support.views import ALL, GUARDED, LOCKED, NOBODY, OWNER, POSTED, addresses, page_templates, post
from test_tracking_items import HOME, north, upload

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
SMALL = {"width": 320, "height": 568}
DOUBLED = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"

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


# What stands in the bar over the large title, which shares its line on root pages.
OVER_TITLE = """() => {
  const title = document.querySelector('h1.title');
  if (!title) return [];
  const range = document.createRange();
  range.selectNodeContents(title);
  const words = [...range.getClientRects()];
  return [...document.querySelectorAll('.bar-link')].filter((link) => {
    const box = link.getBoundingClientRect();
    return box.width && words.some((part) => part.left < box.right - 1 && box.left < part.right - 1
      && part.top < box.bottom - 1 && box.top < part.bottom - 1);
  }).map((link) => `over the title: ${link.outerHTML.slice(0, 120)}`);
}"""


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
    for name, metres in (("Home", 0), ("The office of the whole department of long names", 900)):
        latitude, longitude = north(metres)
        place = someone.call("POST", "/tracking/safe-places", {
            "name": name, "latitude": latitude, "longitude": longitude, "radiusMetres": 150}, expect=201)
    source = someone.call("POST", "/tracking/sources", {"kind": "owntracks"}, expect=201)
    # Away from its owner, who is told of it.
    someone.is_at(*north(3_000))
    reset = server.command("account", "reset-link", someone.email).stdout.strip().splitlines()[-1].split(server.url)[-1]
    return someone, {"item": item["id"], "empty": someone.add_item("Keys")["id"], "place": place["id"],
                     "source": source["id"], "reset": reset, **parcels_of(someone)}


@pytest.fixture(scope="session")
def guarded(servers):
    """Someone with a passcode."""
    from support.server import Person

    someone = Person(servers("sqlite"), "Grace")
    someone.call("PUT", "/lock/passcode", {"passcode": "271828", "repeat": "271828"}, expect=204)
    return someone


@pytest.fixture
def each_view(furnished, guarded, sign_in, phone):
    """Opens every view of the product but Family's (test_family_layout) and those about other services (test_providers),
    one after the other, and gives each with its page."""
    someone, ids = furnished

    def walk(script=None, **options):
        def ready(page):
            if script:
                page.add_init_script(script)
            return page

        locked = ready(sign_in(guarded, **options))
        answer = locked.context.request.delete("/lock/unlocking", headers={"Accept": "application/json"})
        assert answer.status == 204
        groups = [(ready(sign_in(someone, **options)), OWNER), (ready(phone(someone.server, **options)), NOBODY),
                  (ready(sign_in(guarded, **options)), GUARDED), (locked, LOCKED)]
        for page, views in groups:
            for view in addresses(views):
                check(page, view.format(**ids))
                yield view, page
        page = groups[0][0]
        for template, (start, action, fields) in POSTED.items():
            post(page, start.format(**ids), action.format(**ids), fields)
            yield template, page

    return walk


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
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], f"{view} scrolls sideways"


def violations(page):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=RULES).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:160], one["nodes"][0]["failureSummary"][:300]) for one in found]


def test_every_template_is_looked_at():
    looked_at = {template for table in ALL for template in table}
    assert looked_at == page_templates(), "support/views.py says where each is looked at"


@pytest.mark.parametrize("scale", [1, 2])
def test_every_view_fits_a_small_phone(each_view, scale):
    problems = {}
    for view, page in each_view(DOUBLED if scale == 2 else None, viewport=SMALL):
        found = page.evaluate(CLIPPED) + page.evaluate(OVER_TITLE)
        if found:
            problems[view] = found
    assert not problems


def test_every_target_is_large_enough_for_a_thumb(each_view):
    problems = {view: small for view, page in each_view() if (small := page.evaluate(TOO_SMALL))}
    assert not problems


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_accessible(each_view, scheme):
    problems = {view: found for view, page in each_view(color_scheme=scheme) if (found := violations(page))}
    assert not problems


@pytest.mark.parametrize("chosen, device", [("dark", "light"), ("light", "dark")])
def test_a_chosen_light_or_dark_wins_over_the_devices(furnished, person, sign_in, chosen, device):
    """The same colours as where the device itself is set so, and as readable."""
    colours = """() => [document.body, ...document.querySelectorAll("main .row, main .group-note, .bar, .tabs")]
        .map((element) => { const style = getComputedStyle(element); return [style.color, style.backgroundColor]; })"""
    other, ada = person("Bea"), person("Ada")
    page = sign_in(other, color_scheme=chosen)
    page.goto("/account")
    wanted = page.evaluate(colours)
    page = sign_in(ada, color_scheme=device)
    page.goto("/account")
    assert page.evaluate(colours) != wanted
    page.get_by_role("link", name="Light or dark").click()
    page.get_by_role("button", name=chosen.title()).click()
    expect(page.get_by_role("link", name="Light or dark")).to_contain_text(chosen.title())
    assert page.evaluate(colours) == wanted
    for view in ("/account", "/tracking/items/new", "/notifications", "/account/lock"):
        check(page, view)
        assert violations(page) == [], view
    expect(page.locator("meta[name=color-scheme]")).to_have_attribute("content", chosen)


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
    page = phone(someone.server, locale="de-DE", viewport=SMALL)
    problems = {}
    for view in ["/sign-in", "/register", "/carrepsa", "/forgotten-password"]:
        check(page, view)
        problems[view] = page.evaluate(TORN)
    page.goto("/sign-in")
    page.locator("#email").fill(someone.email)
    page.locator("#password").fill(someone.password)
    page.get_by_role("button", name="Anmelden", exact=True).click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    for view in ["/", "/account", "/account/edit", "/account/password", "/account/delete", "/account/sessions",
                 "/account/choices/maps", "/account/choices/appearance", "/account/lock", "/account/lock/passcode",
                 "/account/passkeys", "/account/notifications", "/notifications", "/tracking/alerts",
                 "/tracking/safe-places", "/tracking/safe-places/new", "/tracking/settings", "/pictures", "/tracking/items", "/tracking/items/new", "/tracking/sources",
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
    page = sign_in(someone, viewport=SMALL)
    page.add_init_script(DOUBLED)
    for view in [f"/tracking/items/{item['id']}/edit", "/tracking/items/new", f"/tracking/items/{item['id']}",
                 "/account/edit", "/account/password"]:
        check(page, view)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        assert page.evaluate(OVERLAPPING) == [], view
        edges = page.locator(".bar-link:visible").evaluate_all(
            "links => links.map((link) => [link.getBoundingClientRect().left, link.getBoundingClientRect().right])")
        assert all(left >= 0 and right <= 320 for left, right in edges), (view, edges)
