"""The set-up of a new server, and who can create an account on it."""

import re

import pytest
from playwright.sync_api import expect

from support.layout_checks import flaws
from support.pages import toast, words
from support.patience import wait_until
from support.server import Person

UNSET = {"HOMEWARD_REGISTRATION": ""}
PASSWORD = "correct horse battery"


def code_in_log(server):
    """Returns the code that the server logged."""
    def logged():
        return re.search(r"code=([0-9A-Z-]{19}) ", server.log_text())

    wait_until(logged, 10, server.log_text)
    return logged()[1]


def fill(page, code, registration):
    values = {"Name": "Ada", "Email": "ada@example.org", "Password": PASSWORD}
    page.get_by_label("Code from the server’s log").fill(code)
    for label, value in values.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label(registration).check()
    page.get_by_role("button", name=words("Set up")).click()


def set_up(server):
    """Sets up a server by a script, with a code from the command line. Returns the administrator."""
    printed = server.command("setup-code")
    assert printed.returncode == 0, printed.stderr
    status, _, answer = server.request("POST", "/setup", {
        "code": printed.stdout.split()[0].lower(), "email": "ada@example.org", "password": PASSWORD, "name": "Ada",
        "registration": "closed"})
    assert status == 201, answer
    assert server.command("setup-code").returncode != 0
    return Person.existing(server, answer, PASSWORD)


@pytest.fixture
def new_server(own_server, engine, request):
    cluster = request.getfixturevalue("postgres") if engine == "postgres" else None
    return own_server(cluster and cluster.new_database(), UNSET)


@pytest.mark.spec("H-01")
@pytest.mark.engines
def test_the_administrator_sets_up_a_new_server(new_server, engine, phone):
    page = phone(new_server)
    page.goto("/")
    expect(page.get_by_role("heading", name="Set up this server")).to_be_visible()
    assert flaws(page) == []
    # The page for a lost connection is stored now, and shown later.
    offline = page.request.get("/offline", headers={"Accept": "text/html"}, max_redirects=0)
    assert offline.status == 200 and "Code from the server" not in offline.text()
    fill(page, code_in_log(new_server), "People with an invitation")
    expect(page.get_by_role("heading", name="Administration", level=1)).to_be_visible()
    expect(toast(page, "This server is set up")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Who can create an account"))).to_contain_text(
        "People with an invitation")
    stranger = phone(new_server)
    stranger.goto("/setup")
    expect(stranger.get_by_role("link", name=words("Sign in"))).to_be_visible()
    expect(stranger.get_by_role("link", name=words("Create account"))).to_have_count(0)


WAYS = {
    "/register": "Create account", "/register?app=family": "Create account", "/register?app=carrepsa": "Sign up",
}


@pytest.mark.spec("H-03")
def test_closed_registration_opens_only_to_an_invitation(new_server, engine, phone, sign_in):
    ada = set_up(new_server)
    stranger = phone(new_server)
    for path in WAYS:
        stranger.goto(path)
        expect(stranger.get_by_text("Registration is closed on this server.")).to_be_visible()
    for app in ("tracking", "family", "carrepsa"):
        status, _, answer = new_server.request("POST", "/accounts", {
            "app": app, "email": f"{app}@example.org", "password": PASSWORD, "name": "Eve",
            "dateOfBirth": "1990-05-01", "phone": "+49 151 23456789"})
        assert status == 403, answer
    page = sign_in(ada)
    page.goto("/admin/invitations")
    page.get_by_role("button", name=words("Create an invitation")).click()
    link = page.locator("#invitation-link").inner_text()
    expect(page.get_by_role("img", name="Invitation")).to_be_visible()
    assert flaws(page) == []
    for guest in (phone(new_server), stranger):
        guest.goto(link)
    guest.get_by_label("Name", exact=True).fill("Ben")
    guest.get_by_label("Email", exact=True).fill("ben@example.org")
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.get_by_role("button", name=words("Create account")).click()
    expect(guest.get_by_text("Hello Ben")).to_be_visible()
    other = phone(new_server)
    other.goto(link)
    expect(other.get_by_role("heading", name="This invitation no longer works")).to_be_visible()
    page.goto("/admin/invitations")
    expect(page.get_by_role("heading", name="Open invitations")).to_have_count(0)
