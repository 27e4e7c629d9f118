"""Every view on a small phone: no sideways scrolling, nothing clipped in large text, targets that a thumb hits."""

import time

import pytest

from support.pages import png
from test_tracking_items import HOME, north, upload

VIEWS = [
    "/", "/tracking/items", "/tracking/items/new", "/tracking/items/{item}", "/tracking/items/{item}/edit",
    "/tracking/items/{item}/fixes", "/tracking/items/{item}/tracker", "/tracking/items/{empty}", "/tracking/sources",
    "/tracking/quarantine", "/account", "/account/sessions", "/pictures",
]
SIGNED_OUT = ["/sign-in", "/register"]

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
    someone = Person(server, "Maximiliane von Hohenzollern-Sigmaringen")
    item = someone.add_item("Grandmother's enormous leather travelling bag", pictureId=upload(someone))
    secret = someone.add_osmand_tracker(item)
    someone.is_at(*HOME)
    for number in range(12):
        someone.report(secret, *north(number * 40), at=time.time() - 7200 + number * 600, batt=20 - number)
    someone.report(secret, 91, 6)
    return someone, {"item": item["id"], "empty": someone.add_item("Keys")["id"]}


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
