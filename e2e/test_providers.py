"""Signing in by other services: F-03 (Apple), F-04 (Google), F-05 (Facebook), and any other OpenID provider.

The provider is a process of its own; what it must check (PKCE, secrets, codes that are good once) it checks.
"""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from support.looks import SMALL, check, flaws
from support.provider import PASSWORD, Provider
from support.server import Person
from support.views import LINKED, LINKED_POSTED, addresses, post

DASHBOARD = "/family"
NAMES = {"apple": "Apple", "google": "Google", "facebook": "Facebook", "oidc": "Our own"}
TIMES = 4


@pytest.fixture(scope="module")
def provider():
    provider = Provider().start()
    yield provider
    provider.close()


@pytest.fixture(scope="module")
def sites(request, provider):
    """The servers of this file, one an engine: they know the provider."""
    from support.server import Server

    running = {}

    def get(engine):
        if engine not in running:
            url = request.getfixturevalue("postgres").new_database() if engine == "postgres" else None
            running[engine] = Server(url, provider.settings()).start()
        return running[engine]

    yield get
    for server in running.values():
        server.close()


@pytest.fixture
def site(engine, sites):
    return sites(engine)


@pytest.fixture
def somebody(provider, request):
    """Makes people known at the provider; each test has its own."""
    count = 0

    def make(login=None, **claims):
        nonlocal count
        count += 1
        name = re.sub(r"\W", "-", request.node.name).strip("-").lower()
        login = login or f"{name}-{count}@example.org"
        provider.add(login, **claims)
        return login

    return make


def accounts(site):
    """All accounts, as the command line lists them."""
    answer = site.command("account", "list")
    assert answer.returncode == 0, answer.stderr
    return [dict(zip(("id", "email", "name", "role"), line.split("\t"))) for line in answer.stdout.splitlines()]


def button(page, name):
    return page.get_by_role("link", name=f"Sign in with {NAMES[name]}", exact=True)


def go_there(page, name, path=f"/sign-in?return={DASHBOARD}"):
    page.goto(path)
    button(page, name).click()
    expect(page.get_by_role("heading", name="of the tests")).to_be_visible()


def agree(page, login, password=PASSWORD, email=None):
    page.get_by_label("Email or phone number").fill(login)
    page.get_by_label("Password").fill(password)
    if email:
        page.get_by_label(f"{email} My Email").check()
    page.get_by_role("button", name="Continue").click()


def expect_dashboard(page):
    expect(page).to_have_url(re.compile(f"{DASHBOARD}$"))
    expect(page.locator("#error")).to_have_count(0)
    assert signed_in(page)


def signed_in(page):
    return page.request.get("/account", headers={"Accept": "application/json"}).status == 200


def account(page):
    answer = page.request.get("/account", headers={"Accept": "application/json"})
    assert answer.status == 200, answer.text()
    return answer.json()


def expect_nobody(page):
    assert not signed_in(page)
    assert page.request.get("/account/sessions", headers={"Accept": "application/json"}).status == 401


def sign_out(page):
    page.goto("/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda url: not urlsplit(url).path.startswith("/account"))


def cancels_again_and_again(page, site, name):
    before = accounts(site)
    for _ in range(TIMES):
        go_there(page, name)
        page.get_by_role("button", name="Cancel").click()
        expect(page).to_have_url(re.compile("/sign-in"))
        expect(page.get_by_role("status").filter(has_text=f"cancelled signing in with {NAMES[name]}")).to_be_visible()
        expect(page.get_by_label(re.compile("^email", re.I))).to_be_visible()
        expect_nobody(page)
    kept = {cookie["name"] for cookie in page.context.cookies() if cookie["domain"] == "localhost"}
    assert not kept & {"homeward-session", "homeward-provider", "homeward-offer"}, kept
    assert accounts(site) == before


def wrong_password(page, site, name, login):
    before = accounts(site)
    go_there(page, name)
    agree(page, login, password="wrong", email="Share" if name == "apple" else None)
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    page.goto(DASHBOARD)
    expect_nobody(page)
    assert accounts(site) == before


# F-03


@pytest.mark.smoke
@pytest.mark.spec("F-03-N")
def test_apple_leads_to_the_dashboard(engine, site, phone, somebody):
    login = somebody(email="nora@apple.example", email_verified=True, name="Nora Apfel")
    page = phone(site)
    go_there(page, "apple")
    agree(page, login, email="Share")
    expect_dashboard(page)
    made = account(page)
    # The name comes beside the token, the first time only.
    assert (made["name"], made["email"]) == ("Nora Apfel", "nora@apple.example")
    sign_out(page)
    go_there(page, "apple")
    agree(page, login)
    expect_dashboard(page)
    assert account(page)["id"] == made["id"]
    assert account(page)["name"] == "Nora Apfel"


@pytest.mark.spec("F-03-N")
def test_apple_may_hide_the_email(engine, site, phone, somebody):
    login = somebody(email="secret@apple.example", email_verified=True, name="Paul Privat")
    page = phone(site)
    go_there(page, "apple")
    agree(page, login, email="Hide")
    expect_dashboard(page)
    assert account(page)["email"].endswith("@relay.example")
    assert "secret@apple.example" not in [one["email"] for one in accounts(site)]


@pytest.mark.spec("F-03-B")
def test_apple_refuses(engine, site, phone, somebody):
    login = somebody(email="b@apple.example", email_verified=True, name="B")
    page = phone(site)
    wrong_password(page, site, "apple", login)
    before = accounts(site)
    go_there(page, "apple")
    agree(page, login)
    expect(page.get_by_role("alert")).to_contain_text("Choose whether to share your email")
    page.goto(DASHBOARD)
    expect_nobody(page)
    assert accounts(site) == before


@pytest.mark.smoke
@pytest.mark.spec("F-03-A")
def test_apple_is_cancelled_again_and_again(engine, site, phone):
    cancels_again_and_again(phone(site), site, "apple")


# F-04


@pytest.mark.smoke
@pytest.mark.spec("F-04-N")
def test_google_leads_to_the_dashboard(engine, site, phone, somebody):
    login = somebody(email="nora@google.example", email_verified=True, name="Nora Suche")
    page = phone(site)
    go_there(page, "google")
    agree(page, login)
    expect_dashboard(page)
    made = account(page)
    assert (made["name"], made["email"], made["dateOfBirth"]) == ("Nora Suche", "nora@google.example", None)
    sign_out(page)
    go_there(page, "google")
    agree(page, login)
    expect_dashboard(page)
    assert account(page)["id"] == made["id"]


@pytest.mark.spec("F-04-B")
def test_google_refuses(engine, site, phone, somebody):
    wrong_password(phone(site), site, "google", somebody(email="b@google.example", name="B"))


@pytest.mark.smoke
@pytest.mark.spec("F-04-A")
def test_google_is_cancelled_again_and_again(engine, site, phone):
    cancels_again_and_again(phone(site), site, "google")


@pytest.mark.smoke
@pytest.mark.spec("F-04-A")
def test_a_brand_new_google_account_works_after_cancelling(engine, site, phone, somebody):
    page = phone(site)
    cancels_again_and_again(page, site, "google")
    login = somebody(email="brand-new@google.example", email_verified=True)
    go_there(page, "google")
    agree(page, login)
    expect_dashboard(page)
    assert account(page)["email"] == "brand-new@google.example"


@pytest.mark.smoke
@pytest.mark.spec("F-04-B")
def test_an_answer_that_this_browser_did_not_ask_for_is_refused(engine, site, phone, somebody):
    login = somebody(email=f"asked-{engine}@google.example", email_verified=True, name="Asked")
    page, other = phone(site), phone(site)
    go_there(page, "google")
    # What the vendor answers, and where the browser doesn't go yet.
    form = {"sub": login, "password": PASSWORD, "action": "allow"}
    answer = page.request.post(page.url, form=form, max_redirects=0).headers["location"]
    assert answer.startswith(f"{site.url}/sign-in/google/callback?")
    # The other one is on its way there, too, so that only the answer isn't its own.
    go_there(other, "google")
    for made_up in (answer, re.sub("state=[^&]+", "state=made-up", answer), re.sub("state=[^&]+&?", "", answer)):
        other.goto(made_up)
        expect(other).to_have_url(re.compile("/sign-in"))
        expect_nobody(other)
    # Nothing was used up by that.
    page.goto(answer)
    expect_dashboard(page)
    # Whoever asked can't use it twice either.
    sign_out(page)
    page.goto(answer)
    expect(page).to_have_url(re.compile("/sign-in"))
    expect_nobody(page)


# F-05


@pytest.mark.smoke
@pytest.mark.spec("F-05-N")
def test_facebook_leads_to_the_dashboard(engine, site, phone, somebody):
    login = somebody(email="nora@facebook.example", name="Nora Gesicht")
    page = phone(site)
    go_there(page, "facebook")
    agree(page, login)
    expect_dashboard(page)
    assert (account(page)["name"], account(page)["email"]) == ("Nora Gesicht", "nora@facebook.example")


@pytest.mark.smoke
@pytest.mark.spec("F-05-N")
def test_facebook_works_by_phone_number_and_without_an_email(engine, site, phone, somebody):
    login = somebody(f"+49 151 555{'01' if engine == 'sqlite' else '02'}", name="Pia Phone")
    page = phone(site)
    go_there(page, "facebook")
    agree(page, login)
    expect_dashboard(page)
    assert (account(page)["name"], account(page)["email"]) == ("Pia Phone", None)
    # The profile can be saved all the same.
    page.goto("/account/edit")
    page.get_by_label("Name", exact=True).fill("Pia P.")
    page.get_by_label("Date of birth").fill("1990-02-28")
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile("/account$"))
    assert (account(page)["name"], account(page)["dateOfBirth"]) == ("Pia P.", "1990-02-28")


@pytest.mark.spec("F-05-B")
def test_facebook_refuses(engine, site, phone, somebody):
    wrong_password(phone(site), site, "facebook", somebody(email="b@facebook.example", name="B"))


@pytest.mark.smoke
@pytest.mark.spec("F-05-A")
def test_facebook_is_cancelled_again_and_again(engine, site, phone):
    cancels_again_and_again(phone(site), site, "facebook")


# All of them


def test_any_other_provider_works(engine, site, phone, somebody):
    login = somebody(email="own@id.example", email_verified=True, name="Own Host")
    page = phone(site)
    go_there(page, "oidc", "/sign-in")
    agree(page, login)
    expect(page).to_have_url(re.compile("/tracking/items"))
    assert account(page)["email"] == "own@id.example"


def test_the_buttons_stand_below_the_login_button(engine, site, phone):
    page = phone(site, viewport={"width": 320, "height": 700})
    page.goto("/sign-in")
    login = page.get_by_role("button", name=re.compile("^sign in$", re.I)).bounding_box()
    boxes = {name: button(page, name).bounding_box() for name in NAMES}
    middles = {name: box["x"] + box["width"] / 2 for name, box in boxes.items()}
    assert all(boxes[name]["y"] >= login["y"] + login["height"] for name in boxes)
    assert middles["apple"] < 320 / 3 < middles["google"] < 320 * 2 / 3 < middles["facebook"]
    assert boxes["apple"]["y"] == boxes["google"]["y"] == boxes["facebook"]["y"]
    assert boxes["oidc"]["y"] >= boxes["google"]["y"] + boxes["google"]["height"]
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes.values())
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_whoever_registers_may_come_by_a_provider_as_well(engine, site, phone, somebody):
    login = somebody(email="joining@google.example", email_verified=True, name="Joining")
    page = phone(site, viewport={"width": 320, "height": 700})
    page.goto("/register?app=family")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    button(page, "google").click()
    agree(page, login)
    expect_dashboard(page)
    assert account(page)["email"] == "joining@google.example"


def test_without_settings_there_is_no_button(engine, server, phone):
    page = phone(server)
    page.goto("/sign-in")
    expect(page.get_by_role("link", name=re.compile("^sign in with", re.I))).to_have_count(0)
    assert page.request.get("/sign-in/google", max_redirects=0).status == 404


@pytest.mark.smoke
def test_an_account_of_the_same_email_is_not_taken_over(engine, site, phone, somebody):
    owner = Person(site, "Olga")
    login = somebody(email=owner.email.upper(), email_verified=True, name="Not Olga")
    page = phone(site)
    go_there(page, "google", "/sign-in?return=/account")
    agree(page, login)
    expect(page).to_have_url(re.compile("/sign-in"))
    expect(page.get_by_role("status").filter(has_text="There is an account with")).to_be_visible()
    expect_nobody(page)
    # The password of another account links nothing.
    other = Person(site, "Eve")
    page.get_by_label(re.compile("^email", re.I)).fill(owner.email)
    page.get_by_label("Password").fill("guessed wrong")
    page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="There is an account with")).to_be_visible()
    page.get_by_label("Password").fill(owner.password)
    page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
    expect(page).to_have_url(re.compile("/account$"))
    expect(page.get_by_text("Google is linked to your account")).to_be_visible()
    assert account(page)["id"] == owner.id
    assert account(page)["name"] == "Olga"
    sign_out(page)
    go_there(page, "google", "/sign-in?return=/account")
    agree(page, login)
    expect(page).to_have_url(re.compile("/account$"))
    assert account(page)["id"] == owner.id
    assert other.call("GET", "/account/identities", expect=200)["items"][1]["linked"] is False


def link(page, name, password):
    page.get_by_role("link", name=f"Link {name}").click()
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Link", exact=True).click()


def test_ways_in_are_linked_and_removed(engine, site, sign_in, somebody):
    person = Person(site, "Ada")
    login = somebody(email="elsewhere@google.example", name="Ada E.")
    page = sign_in(person)
    page.goto("/account")
    page.get_by_role("link", name="Ways to sign in").click()
    link(page, "Google", person.password)
    agree(page, login)
    expect(page).to_have_url(re.compile("/account/identities$"))
    expect(page.locator("#identity-google")).to_contain_text("elsewhere@google.example")
    page.get_by_role("link", name="Link Facebook").click()
    page.get_by_label("Password").fill("guessed wrong")
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.get_by_text("That is not your password.")).to_be_visible()
    page.get_by_label("Password").fill(person.password)
    page.get_by_role("button", name="Link", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile("/account/identities$"))
    expect(page.locator("#identity-facebook")).to_contain_text("Not linked")
    page.get_by_role("button", name="Remove Google").click()
    page.locator("dialog[open]").get_by_role("button", name="Remove").click()
    expect(page.locator("#identity-google")).to_contain_text("Not linked")


def test_linking_works_without_script(engine, site, phone, somebody):
    person = Person(site, "Ada")
    login = somebody(email="quiet@google.example", name="Ada Q.")
    page = phone(site, java_script_enabled=False)
    page.goto("/sign-in?return=/account/identities")
    page.get_by_label(re.compile("^email", re.I)).fill(person.email)
    page.get_by_label("Password").fill(person.password)
    page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
    link(page, "Google", person.password)
    page.get_by_role("link", name="Continue with Google").click()
    agree(page, login)
    expect(page.locator("#identity-google")).to_contain_text("quiet@google.example")


def test_an_account_without_a_password_is_deleted_after_signing_in_once_more(engine, site, phone, somebody):
    login = somebody(email="leaving@google.example", email_verified=True, name="Leaving")
    page = phone(site)
    go_there(page, "google", "/sign-in?return=/account/identities")
    agree(page, login)
    # The only way in can't be removed.
    page.get_by_role("button", name="Remove Google").click()
    page.locator("dialog[open]").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("alert")).to_contain_text("your only way in")
    page.goto("/account/delete")
    expect(page.get_by_role("button", name="Delete account")).to_have_count(0)
    page.get_by_role("button", name="Confirm with Google").click()
    agree(page, login)
    expect(page).to_have_url(re.compile("/account/delete$"))
    page.get_by_role("button", name="Delete account").click()
    page.locator("dialog[open]").get_by_role("button", name="Delete").click()
    page.wait_for_url(lambda url: not urlsplit(url).path.startswith("/account"))
    expect_nobody(page)
    assert "leaving@google.example" not in [one["email"] for one in accounts(site)]


def test_only_apples_answer_may_be_posted_by_another_website(engine, site):
    """The post stores nothing and leads to the GET, which needs the cookie."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site",
               "Origin": "https://appleid.apple.com", "Accept": "text/html"}
    import http.client

    def post(path):
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
        connection.request("POST", path, "state=forged&code=forged&id_token=left-out", headers)
        answer = connection.getresponse()
        answer.read()
        return answer

    before = accounts(site)
    answer = post("/sign-in/apple/callback")
    assert answer.status == 303
    assert answer.headers["Location"] == "/sign-in/apple/callback?state=forged&code=forged"
    assert answer.headers["Set-Cookie"] is None
    assert post("/sign-in/google/callback").status == 405
    assert post("/session").status == 403
    assert accounts(site) == before


def test_a_provider_that_is_away_is_said_so(engine, own_server, phone):
    server = own_server(environment={
        "HOMEWARD_GOOGLE_ISSUER": "http://127.0.0.1:9", "HOMEWARD_GOOGLE_CLIENT_ID": "c",
        "HOMEWARD_GOOGLE_CLIENT_SECRET": "s"})
    page = phone(server)
    page.goto("/sign-in")
    button(page, "google").click()
    expect(page).to_have_url(re.compile("/sign-in"))
    expect(page.get_by_role("alert")).to_contain_text("can't be reached right now")


def test_the_views_about_other_services_are_accessible_and_fit_a_small_phone(sites, phone, sign_in):
    server = sites("sqlite")
    ada = Person(server)
    problems = {}

    def look(page, view):
        if found := flaws(page):
            problems[view] = found

    for page in (phone(server, viewport=SMALL), sign_in(ada, viewport=SMALL)):
        for view in addresses(LINKED):
            check(page, view)
            look(page, view)
    for template, (start, action, fields) in LINKED_POSTED.items():
        post(page, start, action, {**fields, "password": ada.password} if "password" in fields else fields)
        look(page, template)
    assert not problems
