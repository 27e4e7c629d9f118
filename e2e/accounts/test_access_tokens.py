"""Access tokens: a script uses a part of a person's data, until the token expires or is revoked."""

import json
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from support.pages import toast, words

PASSWORD = "correct horse battery"


def create(page, name, *rights, days=None, password=PASSWORD):
    page.goto("/account/access-tokens")
    page.get_by_role("link", name="New access token").first.click()
    page.get_by_label("Name", exact=True).fill(name)
    for right in rights:
        page.get_by_role("switch", name=re.compile(right)).check()
    if days:
        page.get_by_label("Expires after").select_option(days)
    page.get_by_label("Your password").fill(password)
    page.get_by_role("button", name=words("Create")).click()


def secret_on(page):
    return page.locator("#access-token").inner_text().strip()


def script(server, secret, method, path, body=None):
    """Sends a request as a script does. Returns the status and the JSON."""
    request = urllib.request.Request(
        server.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {secret}", "Accept": "application/json",
                 "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


@pytest.mark.spec("H-23", "H-24")
def test_a_script_uses_a_token_until_it_is_revoked(server, person, sign_in):
    page = sign_in(person())
    page.goto("/account")
    page.get_by_role("link", name=re.compile("Access tokens")).click()
    expect(page.get_by_text("No access tokens yet")).to_be_visible()
    create(page, "Backup of my items", "See items", days="30 days")
    expect(page.get_by_text("It isn’t shown again")).to_be_visible()
    secret = secret_on(page)
    assert re.fullmatch(r"hwt_[A-Za-z0-9_-]{43}", secret)
    assert script(server, secret, "GET", "/tracking/items")[0] == 200
    status, refused = script(server, secret, "POST", "/tracking/items", {"name": "Keys"})
    assert status == 403 and "tracking:write" in refused["error"]["message"]
    for path in ["/account", "/family/children", "/carrepsa/wallet", "/account/access-tokens", "/admin"]:
        assert script(server, secret, "GET", path)[0] == 403, path
    page.get_by_role("link", name=words("Done")).click()
    row = page.get_by_role("listitem").filter(has_text="Backup of my items")
    expect(row).to_contain_text("See items")
    expect(row).to_contain_text("Last used")
    assert secret not in page.content()
    row.get_by_role("button", name=re.compile("Revoke")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Revoke")).click()
    expect(toast(page, "Access token revoked")).to_be_visible()
    assert script(server, secret, "GET", "/tracking/items")[0] == 401


@pytest.mark.spec("H-23")
def test_another_way_to_confirm_keeps_what_was_typed(person, sign_in):
    someone = person()
    page = sign_in(someone)
    page.goto("/account/access-tokens/new")
    page.get_by_label("Name", exact=True).fill("Backup of my items")
    page.get_by_role("switch", name=re.compile("See items")).check()
    page.get_by_role("link", name=words("Confirm in another way")).click()
    page.get_by_label("Password", exact=True).fill(someone.password)
    page.get_by_role("button", name=words("Continue")).click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Backup of my items")
    expect(page.get_by_role("switch", name=re.compile("See items"))).to_be_checked()
    page.get_by_role("button", name=words("Create")).click()
    expect(page.get_by_text("It isn’t shown again")).to_be_visible()
