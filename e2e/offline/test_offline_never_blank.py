"""Offline: every page of the three apps opens as last seen or says that it needs a connection. None is blank."""

import re

import pytest
from playwright.sync_api import expect

import support.views
from support.children import sign_in_by_link
from support.households import in_all_apps
from support.offline import go_offline, with_worker
from support.pages import until
from support.server import ROOT
from support.tablets import code_of, pair
from support.views import addresses

pytestmark = pytest.mark.service_worker

CONTRACT = ROOT / "Tests" / "ContractTests" / "OfflineCacheContract.swift"
# Cacheable routes that are not pages.
NO_PAGES = {"/pictures/{id}", "/carrepsa/wallet"}
# Returns the page's title and its words, except relative times, maps, people, who are never kept, and links to days,
# which appear when a job has computed the days.
LOOK = """() => {
  const main = document.querySelector("#main .main").cloneNode(true);
  const others = ["time", "script", "style", "template", "dialog", ".map", "#people", "#connection", ".toast",
    "nav[aria-label='Other days']"];
  for (const one of main.querySelectorAll(others.join())) one.remove();
  return {
    title: document.querySelector("h1")?.textContent.trim() ?? "",
    words: main.textContent.split("\\n").map((line) => line.replace(/\\s+/g, " ").trim()).filter(Boolean),
  };
}"""
STORED = """async () => {
  const found = [];
  for (const name of (await caches.keys()).filter((one) => one.startsWith("homeward-pages-"))) {
    for (const request of await (await caches.open(name)).keys()) {
      const url = new URL(request.url);
      const isPage = url.searchParams.get("homeward-face") === "page";
      url.searchParams.delete("homeward-face");
      if (isPage) found.push(url.pathname + url.search);
    }
  }
  return found;
}"""


def kept_routes():
    """Returns the routes of the pages that a browser may cache."""
    listed = re.search(r"static let kept: Set<String> = \[(.*?)\]", CONTRACT.read_text(), re.S).group(1)
    return set(re.findall(r'"([^"]+)"', listed)) - NO_PAGES


def is_of(route, view):
    """Whether an address of `views` belongs to the route."""
    return re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(route)), view.split("?")[0]) is not None


def see_all(page, views):
    """Opens each address. Returns the content of the cacheable pages, and the other addresses."""
    seen, others = {}, []
    for address in views:
        answer = page.goto(address)
        if answer.status == 200 and answer.headers.get("homeward-offline") == "keep":
            seen[page.url.split("/", 3)[3]] = page.evaluate(LOOK)
        else:
            others.append(address)
    until(page, f"""async (wanted) => {{
      const found = await ({STORED})();
      return wanted.every((one) => found.includes(one));
    }}""", [f"/{place}" for place in seen])
    return seen, others


def opens_as_seen(page, address, before):
    page.goto(address)
    expect(page.locator("#connection")).to_contain_text("No connection. Last updated")
    now = page.evaluate(LOOK)
    assert now["title"] == before["title"] != "", address
    assert now["words"] == before["words"] != [], address


def says_that_it_cannot(page, address):
    page.goto(address)
    expect(page.get_by_role("heading", level=1), address).to_have_text("No connection")
    expect(page.locator("main"), address).to_contain_text(
        "This page needs a connection, or hasn’t been opened on this device yet.")
    expect(page.get_by_role("button", name="Try again"), address).to_be_visible()


@pytest.fixture
def household(server):
    return in_all_apps(server)


def test_every_page_of_the_apps_opens_offline_or_shows_a_message(engine, household, sign_in):
    ada, ids = household.parent, household.ids
    views = addresses(support.views.OWNER, support.views.PARENT)
    # The page on which a child reports a chore isn't a parent's (test_offline_steps.py), nor are those of a tablet.
    kept = [route for route in kept_routes()
            if route != "/family/chores/{id}/requests/new" and not route.startswith("/family/tablet")]
    unvisited = [route for route in kept if not any(is_of(route, view) for view in views)]
    assert unvisited == [], "support/views.py has no address of these"
    page = with_worker(sign_in(ada))
    seen, others = see_all(page, [view.format(**ids) for view in views])
    unkept = [route for route in kept if not any(is_of(route, f"/{place}") for place in seen)]
    assert unkept == [], "these may be kept, and weren't"
    # Pages of the same routes that were never opened.
    bag, child = ada.add_item("Rucksack")["id"], ada.child("Tim")["id"]
    new = {**ids, "item": bag, "empty": bag, "mia": child, "ben": child, "zoe": child,
           "chore": ada.chore("Windows")["id"]}
    unseen = {view.format(**new) for view in views if any(is_of(route, view) for route in kept_routes())}
    unseen -= {f"/{place}" for place in seen}

    go_offline(page)
    for place, before in seen.items():
        opens_as_seen(page, f"/{place}", before)
    for address in sorted(unseen) + others + addresses(support.views.GUARDED):
        says_that_it_cannot(page, address)
    assert len(seen) > 30 and len(unseen) > 10 and len(others) > 20, (len(seen), len(unseen), len(others))


def test_every_child_page_opens_offline_or_shows_a_message(engine, household, phone):
    page = with_worker(sign_in_by_link(phone(household.server), household.code("ben"), "Ben"))
    own = {**household.ids, "mia": household.ids["ben"], "ben": household.ids["mia"]}
    seen, others = see_all(page, [view.format(**own) for view in addresses(support.views.CHILD)])
    go_offline(page)
    for place, before in seen.items():
        opens_as_seen(page, f"/{place}", before)
    for address in [*others, f"/family/children/{own['zoe']}", "/account", "/tracking/items"]:
        says_that_it_cannot(page, address)
    assert len(seen) > 4


def test_every_page_of_a_tablet_opens_offline(engine, household, phone):
    page = with_worker(pair(phone(household.server), household.parent))
    seen, others = see_all(page, [view.format(**household.ids) for view in addresses(support.views.TABLET)])
    assert others == [] and len(seen) == 3
    go_offline(page)
    for place, before in seen.items():
        opens_as_seen(page, f"/{place}", before)


def test_signed_out_pages_require_a_connection(engine, household, phone):
    page = with_worker(phone(household.server))
    views = [view for view in addresses(support.views.SIGNED_OUT, support.views.FAMILY_SIGNED_OUT) if "{" not in view]
    codes = {**household.ids, "code": household.code("mia")["code"], "invitation": household.invitation()["code"],
             "reset": "/password-resets/abc", "tablet_code": code_of(household.parent)["code"]}
    views += [view.format(**codes) for view in addresses(support.views.SIGNED_OUT, support.views.FAMILY_SIGNED_OUT)
              if "{" in view]
    for address in views:
        page.goto(address)
    go_offline(page)
    for address in views:
        says_that_it_cannot(page, address)
