"""Without a connection: pages as they were last seen, and changes that wait until they can be sent."""

import datetime
import random
import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from support.children import Household
from support.codes import seen_in
from support.looks import SMALL, flaws
from support.offline import Front, is_kept, is_refused, kept, open_waiting, see, waiting, waits, with_worker
from support.pages import card, name_field, open_list, png, save, until, words
from support.server import Person, Server, free_port

LONG = 40_000
QUEUED = "kept on this device, and sent when it is back"


@pytest.fixture
def home(server):
    """Paula with Mia."""
    parent = Household(server)
    return SimpleNamespace(parent=parent, mia=parent.child("Mia", theme="ocean"))


def toast(page, text):
    return page.locator("[data-toast]", has_text=text)


def names(someone):
    return sorted(item["name"] for item in someone.call("GET", "/tracking/items?limit=200")["items"])


def with_picture(someone):
    boundary = "picture-boundary"
    body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"k.png\"\r\n"
            "Content-Type: image/png\r\n\r\n").encode() + png() + f"\r\n--{boundary}--\r\n".encode()
    picture = someone.call("POST", "/pictures", body, expect=201,
                           headers={"Content-Type": f"multipart/form-data; boundary={boundary}"})
    return someone.add_item("Keys", pictureId=picture["id"])


def go_offline(page):
    page.context.set_offline(True)


def go_online(page):
    page.context.set_offline(False)


def rename_offline(page, item, name):
    page.goto(f"/tracking/items/{item['id']}/edit")
    page.locator("#item-form [name=name]").fill(name)
    save(page)
    expect(page).not_to_have_url(re.compile("/edit$"))


def add_offline(page, name):
    page.goto("/tracking/items/new")
    name_field(page).fill(name)
    save(page)
    expect(page).not_to_have_url(re.compile("/new$"))


# Pages ---------------------------------------------------------------------------------------------------------------

def test_a_page_that_was_seen_opens_with_its_pictures_and_its_age(engine, person, sign_in):
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

    go_offline(page)
    page.goto("/tracking/items")
    expect(card(page, "Keys")).to_be_visible()
    banner = page.locator("#connection")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text(re.compile("No connection. Last updated (now|1 min ago)"))
    until(page, "() => [...document.querySelectorAll('main img')].every((image) => image.naturalWidth > 0)")
    # One page leads to the other, as ever.
    card(page, "Keys").get_by_role("link", name=words("Keys")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Keys")
    expect(banner).to_be_visible()
    # What an installed app starts with is a way to the list.
    page.goto("/tracking")
    expect(card(page, "Keys")).to_be_visible()

    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "House keys"}, expect=200)
    go_online(page)
    expect(card(page, "House keys")).to_be_visible(timeout=LONG)
    expect(banner).to_be_hidden()


def test_a_page_that_was_never_seen_says_so_and_comes_by_itself(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Umbrella")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    go_offline(page)
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("main")).to_contain_text("hasn't been opened on this device yet")
    page.get_by_role("link", name=re.compile("^Items")).click()
    expect(card(page, "Umbrella")).to_be_visible()
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    go_online(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Umbrella", timeout=LONG)


def test_a_server_that_is_away_is_no_blank_page(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    server.stop()
    page.goto("/tracking/items")
    expect(card(page, "Keys")).to_be_visible()
    assert page.evaluate("() => navigator.onLine"), "the browser itself knows nothing of it"
    expect(page.locator("#connection")).to_contain_text("Last updated")
    server.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=LONG)


def test_what_followed_by_itself_is_what_opens(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "Car keys"}, expect=200)
    expect(card(page, "Car keys")).to_be_visible()
    is_kept(page, "/tracking/items", "fragment")
    go_offline(page)
    page.goto("/tracking/items")
    expect(card(page, "Car keys")).to_be_visible()


def test_no_more_is_kept_than_was_said(engine, person, sign_in):
    page = with_worker(sign_in(person()))
    see(page, "/tracking/items")
    page.evaluate("""async () => {
      for (let number = 0; number < 85; number += 1)
        await fetch(`/tracking/items?limit=${number + 1}`, { headers: { "HX-Request": "true", Accept: "text/html" } });
    }""")
    until(page, """async () => {
      const name = (await caches.keys()).find((one) => one.startsWith("homeward-pages-"));
      const addresses = (await (await caches.open(name)).keys()).map(({ url }) => url);
      return addresses.length <= 80 && addresses.some((url) => url.includes("limit=85&")) && !addresses.some((url) => url.includes("limit=1&"));
    }""")


def test_codes_and_secrets_are_in_no_cache(engine, home, sign_in):
    parent = home.parent
    page = with_worker(sign_in(parent))
    see(page, "/family")
    secrets = []
    page.goto(f"/family/children/{home.mia['id']}/sign-in-codes")
    picture = page.locator("figure.qr")
    expect(picture).to_be_visible()
    secrets.append(seen_in(picture).split("code=")[1])
    page.goto("/family/invitations")
    page.locator("main form button[type=submit]").click()
    expect(page.locator("figure.qr, .qr").first).to_be_visible()
    item = parent.add_item("Keys")
    page.goto(f"/tracking/items/{item['id']}/tracker")
    source = parent.call("POST", "/tracking/sources", {"kind": "owntracks"}, expect=201)
    secrets += [source["secret"], source["passphrase"]]
    page.goto(f"/tracking/sources/{source['id']}")
    for path in ("/account", "/account/edit", "/account/sessions", "/account/password", "/family/scan", "/family/account"):
        page.goto(path)
    page.evaluate("() => fetch('/account/export').then((answer) => answer.blob()).then(() => true)")
    is_kept(page, "/family/account")
    entries = kept(page)
    paths = {entry["path"] for entry in entries}
    told = re.compile("code|invitation|scan|sources|tracker|export|password|sessions|^/account(/edit)?$|/lock")
    assert not [path for path in paths if told.search(path)], paths
    everything = " ".join(entry["text"] for entry in entries)
    assert parent.email not in everything
    assert not [secret for secret in secrets if secret and secret in everything]


# Whose pages they are ------------------------------------------------------------------------------------------------

def test_signing_out_leaves_nothing_behind_and_asks_first_when_something_waits(engine, person, sign_in):
    someone = person()
    item = someone.add_item("A secret present")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}/edit")
    go_offline(page)
    rename_offline(page, item, "Another present")
    waits(page, 1)
    # It is refused when it is sent, and stays.
    someone.call("DELETE", f"/tracking/items/{item['id']}", expect=204)
    go_online(page)
    is_refused(page, 1)
    page.goto("/account")
    is_refused(page, 1)
    page.get_by_role("button", name=words("Sign out")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("lose what wasn't sent")
    question.get_by_role("button", name=words("Cancel")).click()
    assert len(waiting(page)) == 1
    page.get_by_role("button", name=words("Sign out")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Sign out")).click()
    expect(page.get_by_role("link", name=words("Sign in"))).to_be_visible()
    until(page, "async () => !(await caches.keys()).some((name) => /pages|pictures/.test(name))")
    assert waiting(page) == []
    go_offline(page)
    page.goto("/tracking/items")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("body")).not_to_contain_text("present")


def test_another_person_sees_nothing_of_the_first(engine, server, person, sign_in):
    someone, other = person(), person("Eve")
    someone.add_item("A secret present")
    other.add_item("Kite")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    # The session ends by itself, and somebody else signs in. A page that is open then would go to the sign-in by itself.
    page.goto("about:blank")
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.get_by_label("Email").fill(other.email)
    page.get_by_label("Password", exact=True).fill(other.password)
    page.get_by_role("button", name=words("Sign in")).click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    see(page, "/tracking/items")
    caches = {entry["cache"] for entry in kept(page)}
    assert all(name.endswith(other.id) for name in caches), caches
    assert "present" not in " ".join(entry["text"] for entry in kept(page))
    go_offline(page)
    page.goto("/tracking/items")
    expect(card(page, "Kite")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("present")


def test_locked_without_a_connection_shows_the_lock_and_how_much_waits(engine, person, sign_in):
    someone = person()
    item = someone.add_item("A secret present")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}/edit")
    go_offline(page)
    rename_offline(page, item, "Another present")
    waits(page, 1)
    # Where a page finds that it is to be locked, it leads there.
    for place in ("/lock?return=/tracking/items", "/tracking/items"):
        page.goto(place)
        expect(page.get_by_role("heading", level=1)).to_have_text("Locked")
    assert kept(page) == []
    expect(page.locator("main")).to_contain_text("Waiting changes: 1")
    expect(page.locator("body")).not_to_contain_text("present")
    assert len(waiting(page)) == 1, "locking costs nothing that was typed"


# Changes -------------------------------------------------------------------------------------------------------------

def test_a_change_waits_is_told_in_words_and_is_sent(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}")
    see(page, f"/tracking/items/{item['id']}/edit")
    see(page, "/tracking/items/new")
    go_offline(page)
    rename_offline(page, item, "Office keys")
    expect(toast(page, QUEUED)).to_be_visible()
    expect(page).to_have_url(re.compile(f"/tracking/items/{item['id']}$"))
    waits(page, 1)
    for name in ("Umbrella", "Kite"):
        add_offline(page, name)
        expect(page).to_have_url(re.compile("/tracking/items$"))
    waits(page, 3)
    sheet = open_waiting(page)
    rows = sheet.get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Office keys")
    expect(rows.nth(1)).to_contain_text("Add item")
    expect(rows.nth(1)).to_contain_text("Umbrella")
    rows.nth(2).get_by_role("button", name=words("Discard")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("Kite")
    question.get_by_role("button", name=words("Discard")).click()
    expect(rows).to_have_count(2)
    sheet.get_by_role("button", name=words("Close")).click()
    go_online(page)
    waits(page, 0)
    expect(toast(page, "What was waiting has been sent.")).to_be_visible()
    assert names(someone) == ["Office keys", "Umbrella"]
    expect(card(page, "Office keys")).to_be_visible()


def test_two_changes_of_one_thing_from_one_phone_follow_one_another(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, f"/tracking/items/{item['id']}")
    see(page, f"/tracking/items/{item['id']}/edit")
    go_offline(page)
    rename_offline(page, item, "Car keys")
    waits(page, 1)
    rename_offline(page, item, "Bike keys")
    waits(page, 2)
    go_online(page)
    waits(page, 0)
    assert names(someone) == ["Bike keys"]


def test_a_conflict_is_told_and_nothing_typed_is_lost(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    page, other = with_worker(sign_in(someone)), with_worker(sign_in(someone))
    for device in (page, other):
        see(device, path)
        see(device, f"{path}/edit")
        go_offline(device)
    rename_offline(page, item, "Mia's keys")
    rename_offline(other, item, "Ben's keys")
    waits(page, 1)
    waits(other, 1)
    go_online(page)
    waits(page, 0)
    go_online(other)
    is_refused(other, 1)
    assert names(someone) == ["Mia's keys"], "nothing is overwritten"
    sheet = open_waiting(other)
    expect(sheet).to_contain_text("These weren't taken.")
    row = sheet.get_by_role("listitem")
    expect(row).to_contain_text("Ben's keys")
    expect(row).to_contain_text("changed elsewhere meanwhile")
    row.get_by_role("button", name=words("Open the form again")).click()
    expect(other.locator("#item-form [name=name]")).to_have_value("Ben's keys")
    save(other)
    expect(other.get_by_role("heading", level=1)).to_have_text("Ben's keys")
    waits(other, 0)
    assert names(someone) == ["Ben's keys"]


def test_a_thing_that_is_gone_is_told_and_can_be_discarded(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}/edit")
    see(page, "/tracking/items/new")
    go_offline(page)
    rename_offline(page, item, "Car keys")
    waits(page, 1)
    add_offline(page, "Umbrella")
    waits(page, 2)
    someone.call("DELETE", f"/tracking/items/{item['id']}", expect=204)
    go_online(page)
    # One that is refused holds up no other.
    is_refused(page, 1)
    assert names(someone) == ["Umbrella"]
    row = open_waiting(page).get_by_role("listitem")
    expect(row).to_contain_text("no longer there")
    row.get_by_role("button", name=words("Discard")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Discard")).click()
    waits(page, 0)


def test_without_a_session_changes_wait_for_their_owner(engine, server, person, sign_in):
    someone, other = person(), person("Eve")
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    see(page, f"/tracking/items/{item['id']}/edit")
    go_offline(page)
    rename_offline(page, item, "Car keys")
    waits(page, 1)
    page.context.clear_cookies()
    go_online(page)
    page.wait_for_url(lambda url: "/sign-in" in url)
    for account, name in ((other, "Keys"), (someone, "Car keys")):
        page.goto("/sign-in")
        page.get_by_label("Email").fill(account.email)
        page.get_by_label("Password", exact=True).fill(account.password)
        page.get_by_role("button", name=words("Sign in")).click()
        page.wait_for_url(lambda url: "/sign-in" not in url)
        waits(page, 0)
        assert names(someone) == [name]
        assert names(other) == []
        # A page that is open when its session ends goes to the sign-in by itself.
        page.goto("about:blank")
        page.context.clear_cookies()


def test_money_never_waits(engine, own_server, sign_in):
    server = own_server(environment={"HOMEWARD_WELCOME_AMOUNT": "100.00"})
    sender = Person(server, "Olga", phone="+49 30 1234567")
    page = with_worker(sign_in(sender))
    see(page, "/carrepsa/packages/new")
    go_offline(page)
    page.goto("/carrepsa/packages/new")
    page.get_by_label("Title").fill("Bike helmet")
    page.locator("header button[type=submit], main form#package-form button[type=submit]").first.click()
    expect(toast(page, "nothing was sent")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Bike helmet")
    assert waiting(page) == []


CHANGES = 20


def send_all(page, server, changes):
    """As a script, whatever the browser's own connection: each as the app sends it."""
    statuses = []
    for change in changes:
        answer = page.context.request.post(
            change["url"], form={name: value for name, value in change["fields"]},
            headers={"Accept": "application/json", "Idempotency-Key": change["key"], "Homeward-Account": change["account"],
                     "Origin": server.url})
        statuses.append(answer.status)
    return statuses


def test_twenty_changes_on_each_of_two_phones_a_day_apart_are_made_once_each(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    items = [someone.add_item(f"Thing {number}") for number in range(CHANGES)]
    phones = [with_worker(sign_in(someone)) for _ in range(2)]
    now = datetime.datetime.now(datetime.timezone.utc)
    wanted = []
    for index, page in enumerate(phones):
        page.clock.set_system_time(now + datetime.timedelta(days=index))
        own = items[index::2]
        see(page, "/tracking/items")
        see(page, "/tracking/items/new")
        for item in own:
            see(page, f"/tracking/items/{item['id']}/edit")
        go_offline(page)
        for number, item in enumerate(own):
            rename_offline(page, item, f"Renamed {index}.{number}")
            waits(page, 2 * number + 1)
            add_offline(page, f"New {index}.{number}")
            waits(page, 2 * number + 2)
            wanted += [f"Renamed {index}.{number}", f"New {index}.{number}"]
    queues = [waiting(page) for page in phones]
    assert [len(queue) for queue in queues] == [CHANGES, CHANGES]
    assert len({change["key"] for queue in queues for change in queue}) == 2 * CHANGES

    # A part of them arrives, shuffled and twice, and the server dies among them.
    random.seed(1)
    for page, queue in zip(phones, queues):
        some = random.sample(queue, CHANGES // 2) * 2
        random.shuffle(some)
        half = len(some) // 2
        assert set(send_all(page, server, some[:half])) <= {200, 201}
        server.kill()
        server.start()
        assert set(send_all(page, server, some[half:])) <= {200, 201}

    # Then the phones themselves come back, and it dies once more while they send.
    for page in phones:
        go_online(page)
    until(phones[0], """async () => (await homewardQueue.list(document.body.dataset.person)).length < 20""")
    server.restart(how=9)
    for page in phones:
        expect(page.get_by_role("button", name=re.compile("^(Waiting|Not sent)"))).to_have_count(0, timeout=90_000)
        assert waiting(page) == []
    assert names(someone) == sorted(wanted)
    shown = []
    for page in phones:
        open_list(page)
        expect(page.locator("main .card-title")).to_have_count(2 * CHANGES)
        shown.append(sorted(page.locator("main .card-title").all_inner_texts()))
    assert shown[0] == shown[1] == sorted(wanted)


# Family --------------------------------------------------------------------------------------------------------------

def test_points_given_without_a_connection_are_booked_once(engine, home, sign_in):
    parent = home.parent
    chore = parent.chore("Dishes")
    page = with_worker(sign_in(parent))
    path = f"/family/children/{home.mia['id']}"
    see(page, path)
    see(page, f"{path}/assignments/new")
    go_offline(page)
    for _ in range(2):
        page.goto(f"{path}/assignments/new")
        page.locator(f"[name='points.{chore['id']}'][value='2']").check(force=True)
        page.get_by_role("button", name=words("Assign")).click()
        expect(toast(page, QUEUED)).to_be_visible()
    waits(page, 2)
    go_online(page)
    waits(page, 0)
    given = parent.call("GET", f"{path}/assignments", expect=200)["items"]
    assert [entry["points"] for entry in given] == [2, 2]


# Updates -------------------------------------------------------------------------------------------------------------

def test_an_update_is_offered_and_not_forced(sign_in):
    front_port = free_port()
    server = Server(environment={"HOMEWARD_URL": f"http://localhost:{front_port}"})
    server.url = f"http://localhost:{server.port}"
    server.start()
    front = Front(front_port)
    front.server_port = server.port
    try:
        someone = Person(server)
        server.url = f"http://localhost:{front_port}"
        page = with_worker(sign_in(someone))
        page.goto("/tracking/items/new")
        name_field(page).fill("Half a na")
        front.worker_suffix = "\n// the next version\n"
        page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => true)")
        offer = toast(page, "There is a new version.")
        expect(offer).to_be_visible(timeout=LONG)
        expect(name_field(page)).to_have_value("Half a na")
        with page.expect_event("load", timeout=LONG):
            offer.get_by_role("button", name=words("Reload")).click()
        expect(name_field(page)).to_have_value("Half a na")
        expect(toast(page, "There is a new version.")).to_have_count(0)
        assert page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => !one.waiting)")
    finally:
        front.close()
        server.close()


# Looks --------------------------------------------------------------------------------------------------------------

def test_what_is_seen_without_a_connection_is_accessible(engine, person, sign_in):
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
