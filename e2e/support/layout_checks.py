"""Layout and accessibility checks for every view: no sideways scrolling, no clipping, large targets, unbroken and
separate words, and no accessibility violations in light and dark."""

import itertools

from axe_playwright_python.base import AXE_SCRIPT

SMALL = {"width": 320, "height": 568}
# All languages except English.
TRANSLATIONS = ["de", "es", "fr"]
DOUBLED = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"
# Doubles the text of the loaded page, or returns it to its size.
SCALE = """(factor) => {
  document.documentElement.style.fontSize = factor === 1 ? '' : `${100 * factor}%`;
  return new Promise((done) => setTimeout(done));
}"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# The rules whose result depends on the colour scheme.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
# Each colour scheme with the rules to check in it.
SCHEMES = {"dark": RULES, "light": COLOUR_RULES}
# The same for a view that was checked before, in other colours.
COLOURS = {"dark": COLOUR_RULES, "light": COLOUR_RULES}

# Targets that are too small for a finger.
TOO_SMALL = """() => {
  const small = [];
  const targets = 'a[href], button, input:not([type=hidden]), select, textarea, [role=switch]';
  for (const element of document.querySelectorAll(targets)) {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!box.width || !box.height || style.visibility === 'hidden') continue;
    if (element.closest('[aria-hidden=true], .leaflet-control-attribution, .visually-hidden')) continue;
    if (box.width <= 1 || box.height <= 1 || style.clipPath !== 'none' || +style.opacity === 0) continue;
    // A link inside a sentence is as high as its line (WCAG 2.5.8 excepts it).
    if (element.matches('p a, .field-hint a, .group-note a')) continue;
    element.scrollIntoView({block: 'center', behavior: 'instant'});
    const at = element.getBoundingClientRect();
    const middle = [at.left + at.width / 2, at.top + at.height / 2];
    const labels = [...(element.labels || [])];
    const hits = (x, y) => {
      const hit = document.elementFromPoint(x, y);
      if (!hit) return false;
      return hit === element || element.contains(hit) || labels.some(label => label === hit || label.contains(hit));
    };
    const reach = 21;
    const wide = at.width >= 43.5 || labels.some(label => label.getBoundingClientRect().width >= 43.5)
      || (hits(middle[0] - reach, middle[1]) && hits(middle[0] + reach, middle[1]));
    const high = at.height >= 43.5 || labels.some(label => label.getBoundingClientRect().height >= 43.5)
      || (hits(middle[0], middle[1] - reach) && hits(middle[0], middle[1] + reach));
    const size = `${Math.round(at.width)}x${Math.round(at.height)}`;
    if (!wide || !high) small.push(`${element.outerHTML.slice(0, 120)} ${size}`);
  }
  return small;
}"""

# Words that are clipped.
CLIPPED = """() => [...document.querySelectorAll('main *, header *, nav *')].filter(element => {
  const style = getComputedStyle(element);
  const hides = value => value === 'hidden' || value === 'clip';
  if (element.closest('.leaflet-container, [aria-hidden=true], .visually-hidden, svg, .sheet')) return false;
  if (![...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim())) return false;
  if (!element.getClientRects().length || style.clipPath !== 'none') return false;
  return (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1)
      || (hides(style.overflowY) && element.scrollHeight > element.clientHeight + 2);
}).map(element => element.outerHTML.slice(0, 160))"""

# Content in the bar above the large title, which shares its line on root pages.
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

# Words that continue on another line without a hyphen or a break opportunity.
TORN = """() => {
  const torn = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!parent.getClientRects().length) continue;
    const free = '.hidden, [aria-hidden=true], svg, .code, .secret, [translate=no], a[href^="mailto:"]';
    if (parent.closest(free)) continue;
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

# Parts of the bar that overlap.
OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll('.bar-link > span, h1.bar-title')]
    .filter((part) => part.getClientRects().length)
    .map((part) => ({ words: part.textContent, box: part.getBoundingClientRect() }));
  return boxes.flatMap((one, index) => boxes.slice(index + 1)
    .filter((other) => one.box.left < other.box.right - 1 && other.box.left < one.box.right - 1
      && one.box.top < other.box.bottom - 1 && other.box.top < one.box.bottom - 1)
    .map((other) => [one.words, other.words]));
}"""

# Waits for running animations, except spinners, which never end. In a page that isn't drawn, none ends.
REST = """() => Promise.race([
  Promise.allSettled(document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime < 5_000)
    .map((one) => one.finished)),
  new Promise((resolve) => setTimeout(resolve, 5_000)),
]).then(() => null)"""
# Returns only the violations that axe finds. Its complete report is many times larger than the view.
VIOLATIONS = """async ([part, rules]) => {
  // Colours are on their way from light to dark, or back, and a closing dialog's backdrop would be a background.
  await (REST)();
  const { violations } = await axe.run(part ?? document, { runOnly: rules, resultTypes: ['violations'] });
  return violations.map(({ id, nodes: [node] }) => [id, node.html.slice(0, 160), node.failureSummary.slice(0, 300)]);
}""".replace("REST", REST)


def come_to_rest(page):
    """Waits until all animations except spinners have ended."""
    page.evaluate(REST)


def scrolls_sideways(page):
    return page.evaluate("document.documentElement.scrollWidth") > page.viewport_size["width"]


def at_each_scale(page, *flaws):
    """Returns the flaws that the view has with text of double and of normal size, which it has afterwards."""
    found = []
    for factor in (2, 1):
        page.evaluate(SCALE, factor)
        found += [(factor, one) for flaw in flaws for one in page.evaluate(flaw)]
        if scrolls_sideways(page):
            found.append((factor, "scrolls sideways"))
    return found


def check(page, view):
    page.goto(view)
    page.wait_for_load_state("load")
    assert not scrolls_sideways(page), f"{view} scrolls sideways"


def in_turn(page, views, languages=TRANSLATIONS):
    """Yields each view after choosing the browser's next language, so that all languages cost no more pages than one.
    The page is opened with `locale=None`, because a locale sets the same header."""
    for view, language in zip(views, itertools.cycle(languages), strict=False):
        page.set_extra_http_headers({"Accept-Language": language})
        yield view
        assert page.evaluate("document.documentElement.lang") == language, view


def violations(page, schemes=SCHEMES, part=None):
    """Returns the accessibility violations of the view, or of a part of it (a selector), in dark and in light."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        # It is large: the next views of this page have it from the start.
        page.add_init_script(AXE_SCRIPT)
    found = []
    for scheme, rules in schemes.items():
        page.emulate_media(color_scheme=scheme)
        found += [[scheme, *one] for one in page.evaluate(VIOLATIONS, [part, rules])]
    return found


def flaws(page, part=None):
    """Returns all layout problems of a view on a small phone, and the accessibility problems of it or of a part."""
    found = violations(page, part=part) + page.evaluate(CLIPPED) + page.evaluate(TOO_SMALL)
    if scrolls_sideways(page):
        found.append("scrolls sideways")
    return found
