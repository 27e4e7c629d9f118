"""People of Carrepsa, their money and their packages."""

import re

from playwright.sync_api import expect

from support.pages import words
from support.patience import wait_until
from support.server import Person

START = 10_000  # initial balance of each wallet: 100.00
# The environment of a server whose wallets begin with START.
RICH = {"HOMEWARD_WELCOME_AMOUNT": f"{START // 100}.{START % 100:02}"}
REWARD, LOCK = 1_200, 4_000
SEARCH = re.compile(r"/carrepsa/packages(\?(?!.*role=).*)?$")
MINE = re.compile(r"/carrepsa/packages\?.*role=owner")
DELIVERIES = re.compile(r"/carrepsa/packages\?.*role=carrier")
PACKAGE = re.compile(r"/carrepsa/packages/[0-9a-f-]{36}$")
ANY_LIST = re.compile(r"/carrepsa/packages(\?.*)?$")
TAB_ADDRESSES = {"Search": "/carrepsa/packages", "New": "/carrepsa/packages/new", "Profile": "/carrepsa/profile",
                 "My packages": "/carrepsa/packages?role=owner", "My deliveries": "/carrepsa/packages?role=carrier"}
LISTS = {"Search": SEARCH, "My packages": MINE, "My deliveries": DELIVERIES}


def amount(minor):
    """Returns a pattern for the amount as English pages write it."""
    return re.compile(rf"(?<![\d.]){minor // 100:,}\.{minor % 100:02}(?!\d)")


def tap_blocked(button):
    """Taps a button that is aria-disabled. Playwright doesn't wait for such a button, so this waits until it isn't
    covered (a page that is being inserted is below its transition)."""
    reached = """button => {
        const box = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    }"""

    def is_reached():
        button.scroll_into_view_if_needed()
        return button.evaluate(reached)

    wait_until(is_reached, otherwise="something lies over the button", pause=lambda: button.page.wait_for_timeout(50))
    button.tap(force=True)


def overlap(one, other):
    """Whether two elements overlap on the screen."""
    first, second = one.bounding_box(), other.bounding_box()
    return all(
        first[side] < second[side] + second[length] and second[side] < first[side] + first[length]
        for side, length in (("x", "width"), ("y", "height")))


class CarrepsaFixture:
    """People whose total money must not change. `welcome` is the amount with which the server's wallets begin: 100.00
    with RICH in its environment."""

    def __init__(self, server, welcome=START):
        self.server = server
        self.welcome = welcome
        self.people = []

    def add_person(self, name, is_operator=False):
        number = f"+49151{1_000_000 + Person.count}"
        someone = Person(self.server, name, app="carrepsa", phone=number)
        someone.phone = number
        if is_operator:
            self.grant_operator(someone)
        assert self.money(someone) == (self.welcome, 0)
        self.people.append(someone)
        return someone

    def grant_operator(self, someone):
        """Makes a person an administrator. Before their first request this takes effect at once."""
        done = self.server.command("account", "operator", someone.email)
        assert done.returncode == 0, done.stderr
        # After a request, the server caches the role for at most one second.
        wait_until(lambda: self.server.request("GET", "/carrepsa/ledger", token=someone.token)[0] == 200, 2,
                   "the server didn't notice the new operator")

    @staticmethod
    def money(someone):
        wallet = someone.call("GET", "/carrepsa/wallet", expect=200)
        return wallet["balance"], wallet["held"]

    def has(self, *expected):
        """Expects each person's (balance, held) in order of creation, and an unchanged total."""
        found = [self.money(someone) for someone in self.people]
        assert found == list(expected), {one.name: money for one, money in zip(self.people, found, strict=True)}
        assert sum(balance + held for balance, held in found) == self.welcome * len(self.people)
        for someone, (balance, _) in zip(self.people, found, strict=True):
            entries = someone.call("GET", "/carrepsa/wallet/entries?limit=200")["items"]
            assert sum(entry["amount"] for entry in entries) == balance
            assert entries[0]["balanceAfter"] == balance, "the newest movement ends in the balance"

    def is_sound(self):
        done = self.server.command("verify")
        assert done.returncode == 0, done.stdout + done.stderr


def post(owner, title="Bike helmet", expect=201, **fields):
    """Posts a package through the API."""
    body = {"title": title, "from": "Aachen", "to": "Bonn", "weight": 1_200, "reward": REWARD,
            "moneyLock": LOCK, **fields}
    return owner.call("POST", "/carrepsa/packages", body, expect=expect)


def trip_and_offer(someone, offered):
    """Saves a trip, and returns its id and the path of the public page of an own offer, for `support.views`."""
    trip = someone.call("POST", "/carrepsa/trips", {
        "from": "Aachen", "to": "Bonn", "fromLatitude": 50.78, "fromLongitude": 6.08, "toLatitude": 50.74,
        "toLongitude": 7.1, "detour": 20}, expect=201)
    _, _, page = someone.server.request(
        "GET", f"/carrepsa/packages/{offered['id']}", token=someone.token, headers={"Accept": "text/html"})
    return {"trip": trip["id"], "offer": re.search(r"/offers/[\w/-]+", page.decode()).group()}


def act(someone, package, step, expect=201, method="POST", body=None):
    sent = body or {} if method == "POST" else None
    return someone.call(method, f"/carrepsa/packages/{package['id']}/{step}", sent, expect=expect)


def state(someone, package):
    return someone.call("GET", f"/carrepsa/packages/{package['id']}", expect=200)["state"]


def listed(someone, **query):
    """Returns the titles of one of the person's lists."""
    text = "&".join(f"{key}={value}" for key, value in query.items())
    return [package["title"] for package in someone.call("GET", f"/carrepsa/packages?{text}", expect=200)["items"]]


# Pages

def open_tab(page, name):
    """Opens a tab of the tab bar. A new browser starts there."""
    if "/carrepsa" in page.url:
        tabs = page.get_by_role("navigation", name=re.compile("main sections", re.I))
        tabs.get_by_role("link", name=words(name)).click()
    else:
        page.goto(TAB_ADDRESSES[name])
    expect(page.locator("[aria-current=page]").filter(has_text=words(name))).to_be_visible()
    if name in LISTS:
        expect(page).to_have_url(LISTS[name])


def package_card(page, title):
    """Returns the package in the visible list."""
    return page.get_by_role("listitem").filter(has=page.get_by_text(title, exact=True))


def open_package(page, tab, title):
    open_tab(page, tab)
    open_card(page, title)


def open_card(page, title):
    """Opens a package of the visible list."""
    expect(package_card(page, title)).to_be_visible()
    package_card(page, title).get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=title).first).to_be_visible()


def action(page, label):
    return page.get_by_role("button", name=words(label))


def do(page, label):
    """Taps a button and confirms the dialog if one opens."""
    before = page.url
    expect(action(page, label).first).to_be_visible()
    action(page, label).first.click()
    yes = page.locator("dialog[open] [data-yes]")
    wait_until(lambda: page.url != before or yes.count(), otherwise=f"{label}: nothing happened",
               pause=lambda: page.wait_for_timeout(20))
    if page.url == before:
        yes.click()
    expect(page).not_to_have_url(before)


def field(page, label):
    return page.get_by_label(
        re.compile(rf"^{re.escape(label)}", re.I)).and_(page.locator("input, textarea, select")).first


def fill_request(page, title="Bike helmet", start="Aachen", goal="Bonn", weight="1.2", reward="12.00", lock="40.00"):
    """Fills in the required fields of *New package*."""
    for label, text in (("Title", title), ("From", start), ("To", goal), ("Weight", weight), ("Reward", reward),
                        ("Deposit", lock)):
        field(page, label).fill(text)


def shows_balance(page, minor):
    """Expects the balance on the profile page."""
    open_tab(page, "Profile")
    expect(page.locator("main")).to_contain_text(amount(minor))


def pull(page):
    """Pulls the page down with a touch gesture."""
    session = page.context.new_cdp_session(page)
    x = page.viewport_size["width"] // 2

    def touch(kind, *y):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": one} for one in y]})

    touch("touchStart", 200)
    for y in range(220, 561, 20):
        touch("touchMove", y)
    touch("touchEnd")
    session.detach()
