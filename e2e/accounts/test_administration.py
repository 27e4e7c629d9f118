"""The administrator's pages."""

import re

import pytest
from playwright.sync_api import expect

from support.administrators import administrator_of, give_proof
from support.layout_checks import flaws
from support.mails import MailCommand
from support.pages import toast, words


@pytest.fixture
def administrator(server):
    return administrator_of(server)


def open_person(page, name, email):
    page.goto("/admin/people")
    page.get_by_label("Name, email or ID").fill(email)
    page.get_by_role("link", name=re.compile(re.escape(email))).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def prove(page, person):
    give_proof(page, person)
    expect(page.get_by_role("button", name=words("Sign out all devices"))).to_be_visible()


def confirm(page, label):
    page.get_by_role("alertdialog").get_by_role("button", name=words(label)).click()


@pytest.mark.spec("H-05", "H-06", "H-07")
def test_an_account_is_disabled_and_enabled(administrator, engine, person, sign_in):
    ben = person("Ben")
    page = sign_in(administrator)
    open_person(page, "Ben", ben.email)
    expect(page.get_by_role("button", name=words("Disable account"))).to_have_count(0)
    prove(page, administrator)
    assert flaws(page) == []
    page.get_by_role("button", name=words("Disable account")).click()
    confirm(page, "Disable")
    expect(toast(page, "The account is disabled")).to_be_visible()
    ben.call("GET", "/account", expect=401)
    page.get_by_role("button", name=words("Enable account")).click()
    expect(toast(page, "The account is enabled")).to_be_visible()
    page.goto("/admin/log")
    expect(page.get_by_text("Account enabled · Ben").first).to_be_visible()


def test_forms_and_results_fit_a_phone(engine, server, own_server, sign_in, tmp_path):
    """Looks at pages with what they show only on a server with mail, a provider and a backup, or after a proof."""
    mails = MailCommand(tmp_path)
    # The shared server responds at once that it isn’t a provider.
    server = own_server(None, {**mails.environment, "HOMEWARD_OIDC_CLIENT_ID": "homeward",
                               "HOMEWARD_OIDC_ISSUER": f"http://127.0.0.1:{server.port}"})
    administrator = administrator_of(server)
    written = server.command("backup", str(tmp_path / "all.homeward"))
    assert written.returncode == 0, written.stderr
    page = sign_in(administrator)
    page.goto("/admin/mail")
    page.get_by_role("button", name=words("Send a test")).click()
    expect(toast(page, "The test mail was sent")).to_be_visible()
    expect(page.get_by_text("Sent", exact=True).first).to_be_visible()
    assert flaws(page) == []
    page.goto("/admin/providers")
    page.get_by_role("button", name="Try OpenID").click()
    expect(page.get_by_text("doesn’t publish usable addresses")).to_be_visible()
    assert flaws(page) == []
    page.goto("/admin/backups")
    expect(page.get_by_text("Read back and verified")).to_be_visible()
    assert flaws(page) == []
    proof = page.request.post("/account/proofs/administration", data={"password": administrator.password},
                              headers={"Accept": "application/json"})
    assert proof.status == 201, proof.text()
    page.goto(f"/admin/storage/{administrator.id}")
    page.get_by_label("Maximum number of photos").fill("few")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Enter a whole number.")).to_be_visible()
    assert flaws(page) == []


@pytest.mark.spec("H-16")
def test_the_ledger_is_verified_in_the_background(administrator, engine, sign_in):
    page = sign_in(administrator)
    page.goto("/admin")
    page.get_by_role("link", name="Ledger", exact=True).click()
    expect(page.get_by_role("heading", name="Ledger", level=1)).to_be_visible()
    page.get_by_role("button", name="Verify now").click()
    expect(toast(page, "The ledger is being verified")).to_be_visible()
    expect(page.get_by_text("Sound", exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name="Verify now")).to_be_visible()
    assert flaws(page) == []
    page.goto("/admin")
    expect(page.get_by_role("link", name="Packages in dispute")).to_have_attribute("href", "/carrepsa/disputes")
