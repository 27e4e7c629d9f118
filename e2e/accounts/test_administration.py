"""The administrator's pages."""

import re

import pytest
from playwright.sync_api import expect

from support.layout_checks import flaws
from support.mails import MailCommand
from support.pages import toast, words
from support.server import Person

PAGES = ["/admin", "/admin/people", "/admin/invitations", "/admin/registration", "/admin/checks", "/admin/backups",
         "/admin/mail", "/admin/jobs", "/admin/log"]


def administrator_of(server):
    ada = Person(server, "Ada")
    # Anyone can register with another person's address, so the command accepts only ids of unconfirmed accounts.
    granted = server.command("account", "operator", ada.id)
    assert granted.returncode == 0, granted.stderr
    return ada


@pytest.fixture
def administrator(server):
    return administrator_of(server)


def open_person(page, name, email):
    page.goto("/admin/people")
    page.get_by_label("Name, email or ID").fill(email)
    page.get_by_role("link", name=re.compile(name)).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def prove(page, person):
    page.get_by_role("link", name=words("Confirm that it’s you")).click()
    page.get_by_label("Password", exact=True).fill(person.password)
    page.get_by_role("button", name=words("Continue")).click()
    expect(page.get_by_role("button", name=words("Sign out all devices"))).to_be_visible()


def confirm(page, label):
    page.get_by_role("alertdialog").get_by_role("button", name=words(label)).click()


@pytest.mark.spec("H-05", "H-06", "H-07")
@pytest.mark.smoke
def test_an_account_is_disabled_and_enabled(administrator, engine, person, sign_in, phone):
    ben = person("Ben")
    phone_of_ben = sign_in(ben)
    phone_of_ben.goto("/tracking/items")
    page = sign_in(administrator)
    open_person(page, "Ben", ben.email)
    expect(page.get_by_role("button", name=words("Disable account"))).to_have_count(0)
    prove(page, administrator)
    assert flaws(page) == []
    page.get_by_role("button", name=words("Disable account")).click()
    confirm(page, "Disable")
    expect(toast(page, "The account is disabled")).to_be_visible()
    phone_of_ben.goto("/tracking/items")
    phone_of_ben.get_by_label("Email").fill(ben.email)
    phone_of_ben.get_by_label("Password", exact=True).fill(ben.password)
    phone_of_ben.get_by_role("button", name=words("Sign in")).click()
    expect(phone_of_ben.get_by_text("This account is disabled.")).to_be_visible()
    page.get_by_role("button", name=words("Enable account")).click()
    expect(toast(page, "The account is enabled")).to_be_visible()
    phone_of_ben.get_by_label("Password", exact=True).fill(ben.password)
    phone_of_ben.get_by_role("button", name=words("Sign in")).click()
    expect(phone_of_ben.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    page.goto("/admin/log")
    expect(page.get_by_text("Account enabled · Ben").first).to_be_visible()
    assert flaws(page) == []


@pytest.mark.spec("H-05")
def test_a_link_rights_and_deletion(administrator, engine, person, sign_in, phone):
    ben = person("Ben Deleted")
    page = sign_in(administrator)
    open_person(page, "Ben Deleted", ben.email)
    prove(page, administrator)
    page.get_by_role("button", name=words("Create a link for a new password")).click()
    link = page.locator("#reset-link").inner_text()
    assert flaws(page) == []
    guest = phone(ben.server)
    guest.goto(link)
    expect(guest.get_by_role("heading", name="Choose a new password")).to_be_visible()
    page.get_by_role("button", name=words("Make administrator")).click()
    confirm(page, "Make administrator")
    expect(toast(page, "Administrator rights granted")).to_be_visible()
    assert ben.call("GET", "/admin", expect=200)
    page.get_by_role("button", name=words("Revoke administrator rights")).click()
    confirm(page, "Revoke")
    expect(toast(page, "Administrator rights revoked")).to_be_visible()
    ben.call("GET", "/admin", expect=403)
    page.get_by_role("button", name=words("Delete account")).click()
    confirm(page, "Delete")
    expect(toast(page, "The account is deleted")).to_be_visible()
    ben.call("GET", "/account", expect=401)
    page.get_by_label("Name, email or ID").fill(ben.email)
    expect(page.get_by_role("heading", name="No account found")).to_be_visible()


@pytest.mark.spec("H-08", "H-09")
def test_only_administrators_see_the_pages(administrator, engine, person, sign_in):
    ben = person("Ben")
    other = sign_in(ben)
    page = sign_in(administrator)
    for path in PAGES:
        assert other.goto(path).status == 403
        assert page.goto(path).status == 200
        assert flaws(page) == []
    other.goto("/account")
    expect(other.get_by_role("link", name=re.compile("Administration"))).to_have_count(0)
    page.goto("/account")
    page.get_by_role("link", name=re.compile("Administration")).click()
    expect(page.get_by_role("heading", name="Administration", level=1)).to_be_visible()
    expect(page.get_by_text("SQLite")).to_be_visible()
    page.get_by_role("link", name=re.compile("Background jobs")).click()
    expect(page.get_by_role("heading", name="Nothing failed")).to_be_visible()
    administrator.call("PUT", "/lock/passcode", {"passcode": "271828", "repeat": "271828"}, expect=204)
    administrator.call("DELETE", "/lock/unlocking", expect=204)
    administrator.call("GET", "/admin", expect=423)


@pytest.mark.spec("H-10")
def test_a_test_mail_says_whether_it_was_accepted(own_server, sign_in, tmp_path):
    mails = MailCommand(tmp_path, has_gate=True)
    server = own_server(None, mails.environment)
    page = sign_in(administrator_of(server))
    page.goto("/admin/mail")
    page.get_by_label("Email").fill("guest@example.org")
    page.get_by_role("button", name=words("Send a test")).click()
    expect(page.get_by_role("alert")).to_contain_text("The mail command ended with an error.")
    expect(page.get_by_label("Email")).to_have_value("guest@example.org")
    mails.open()
    page.get_by_role("button", name=words("Send a test")).click()
    expect(toast(page, "The test mail is sent")).to_be_visible()
    assert [mail for mail in mails.all() if "To: guest@example.org" in mail]
    expect(page.get_by_text("Sent", exact=True).first).to_be_visible()
    assert flaws(page) == []


@pytest.mark.spec("H-11", "H-12")
def test_checks_and_backups_are_listed(own_server, sign_in, tmp_path):
    server = own_server()
    page = sign_in(administrator_of(server))
    page.goto("/admin/checks")
    expect(page.get_by_text("No backup was verified yet.")).to_be_visible()
    expect(page.get_by_text("Everything that was checked works.")).to_be_visible()
    written = server.command("backup", str(tmp_path / "all.homeward"))
    assert written.returncode == 0, written.stderr
    page.goto("/admin/backups")
    expect(page.get_by_text("Read back and verified")).to_be_visible()
    assert flaws(page) == []
    page.goto("/admin/checks")
    expect(page.get_by_text("The newest verified backup is 0 hours old.")).to_be_visible()
    assert flaws(page) == []
    found = server.command("doctor")
    assert found.returncode == 0, found.stderr
    assert "The newest verified backup is 0 hours old." in found.stdout and "Mail isn’t set up." in found.stdout
