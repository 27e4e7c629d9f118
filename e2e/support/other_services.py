"""Sign-in by other services: fixtures for the modules that import them, and actions on the pages.

The provider is a separate process. It checks PKCE, client secrets, and that each code is used once."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from support.provider import PASSWORD, Provider
from support.server import Server

DASHBOARD = "/family"
NAMES = {"apple": "Apple", "google": "Google", "facebook": "Facebook", "oidc": "Our own"}


@pytest.fixture(scope="module")
def provider():
    provider = Provider().start()
    yield provider
    provider.close()


@pytest.fixture(scope="module")
def provider_servers(request, provider):
    """The servers of a module, one for each engine. Each is configured with the provider."""
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
def provider_server(engine, provider_servers):
    return provider_servers(engine)


@pytest.fixture
def provider_user(provider, request):
    """Creates users at the provider, separate ones for each test."""
    count = 0

    def make(login=None, **claims):
        nonlocal count
        count += 1
        name = re.sub(r"\W", "-", request.node.name).strip("-").lower()
        login = login or f"{name}-{count}@example.org"
        provider.add(login, **claims)
        return login

    return make


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


def expect_signed_out(page):
    assert not signed_in(page)
    assert page.request.get("/account/sessions", headers={"Accept": "application/json"}).status == 401


def sign_out(page):
    page.goto("/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda url: not urlsplit(url).path.startswith("/account"))
