"""HTML characters followed by combining marks stay text, and htmx ignores text from users."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from support.carrepsa import act, post
from support.households import SampleHousehold

# The server's tests escape further marks.
MARK = "\u0301"
EMAIL = "mallory@example.org"
# Text that becomes htmx attributes, which would change the email, if its quotation mark ends an attribute.
ATTACK = f'x"{MARK} hx-patch="/account" hx-vals=\'{{"email":"{EMAIL}"}}\' hx-trigger="load" smuggled="{MARK}'
# The same for an element of a list.
REWARD = f'<{MARK}b>"{MARK} hx-patch=/account hx-trigger=load \'{MARK}&{MARK}'


@pytest.fixture
def changes(server):
    """Records each request of a page that would change data."""
    noted = []

    def watch(page):
        page.on("request", lambda request: noted.append(request.url) if request.method not in ("GET", "HEAD") else None)
        return page

    yield watch
    assert not noted, noted


def has_no_attributes_of_the_text(page):
    # htmx has processed the page by then.
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    assert page.locator("[hx-patch], [smuggled], [hx-vals]").count() == 0


def test_search_text_in_a_link_and_stored_title_change_no_account(carrepsa, sign_in, changes):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    title = f"Lamp{REWARD}"
    package = post(olga, title)
    page = changes(sign_in(karl))
    page.goto(f"/carrepsa/packages?from={quote(ATTACK)}")
    expect(page.locator("#filter-from")).to_have_value(ATTACK)
    has_no_attributes_of_the_text(page)
    for path in ("/carrepsa/packages", f"/carrepsa/packages/{package['id']}"):
        page.goto(path)
        expect(page.get_by_text(title, exact=True).first).to_be_attached()
        has_no_attributes_of_the_text(page)
    assert karl.call("GET", "/account")["email"] == karl.email


def test_stored_names_and_rewards_change_no_readers_account(server, sign_in, changes):
    home = SampleHousehold(server, f"Ada\"{MARK} smuggled=1", reward=f"{REWARD} ")
    home.parent.add_item(f"Bag{ATTACK[:40]}")
    page = changes(sign_in(home.parent))
    for path in ("/family", f"/family/children/{home.ids['mia']}", f"/family/children/{home.ids['mia']}/contracts",
                 "/tracking/items", "/account"):
        page.goto(path)
        has_no_attributes_of_the_text(page)
    assert home.parent.call("GET", "/account")["email"] == home.parent.email


# Attributes with unchanged user text. Addresses contain it percent-encoded. Labels and confirmations are the app's own
# sentences on elements with actions. The titles for the bar are on the element that htmx itself uses.
TEXTS = ["value", "placeholder", "title", "alt", "content"]
FIND = """([texts, attributes]) => {
    const found = []
    const note = (element, where) => {
        if (!element.closest('[hx-disable]')) found.push(`${where} of ${element.cloneNode().outerHTML}`)
    }
    const holds = text => texts.some(one => text.includes(one))
    for (const element of document.body.querySelectorAll('*')) {
        for (const {name, value} of element.attributes) {
            if (holds(value) && attributes.includes(name) && element.type !== 'hidden') note(element, name)
        }
        for (const child of element.childNodes) {
            if (child.nodeType === Node.TEXT_NODE && holds(child.nodeValue)) note(element, 'text')
        }
    }
    return found
}"""


def test_htmx_is_disabled_around_user_text(server, carrepsa, sign_in):
    marker = "Zq"
    home = SampleHousehold(server, f"{marker}Ada", children=(f"{marker}Mia", f"{marker}Ben", f"{marker}Zoe"),
                           chores=[f"{marker}Chore {number}" for number in range(6)], reward=f"{marker}Reward ")
    item = home.parent.add_item(f"{marker}Bag")
    olga, karl = carrepsa.add_person(f"{marker}Olga"), carrepsa.add_person(f"{marker}Karl")
    package = post(olga, f"{marker}Lamp",
                   **{"from": f"{marker}Aachen", "to": f"{marker}Bonn", "description": f"{marker}Heavy"})
    offered = post(olga, f"{marker}Chair")
    act(karl, package, "acceptance")
    mia = home.ids["mia"]
    views = {
        home.parent: ["/family", f"/family/children/{mia}", f"/family/children/{mia}/contracts", "/family/account",
                      f"/family/children/{mia}/assignments/new", f"/family/children/{mia}/edit",
                      "/tracking/items", f"/tracking/items/{item['id']}", f"/tracking/items/{item['id']}/edit"],
        karl: ["/carrepsa/packages", f"/carrepsa/packages/{package['id']}", f"/carrepsa/packages/{offered['id']}",
               f"/carrepsa/people/{olga.id}", "/carrepsa/packages?role=carrier",
               f"/carrepsa/packages?from={marker}Aachen"],
    }
    found = {}
    shown = 0
    for someone, paths in views.items():
        page = sign_in(someone)
        for path in paths:
            page.goto(path)
            shown += page.get_by_text(re.compile(marker)).count()
            for place in page.evaluate(FIND, [[marker], TEXTS]):
                found.setdefault(place[:300], path)
    assert shown > 30
    assert not found, "\n".join(f"{path}: {place}" for place, path in found.items())
