"""The administrator's pages."""

import re

import pytest
from playwright.sync_api import expect

from support.administrators import administrator_of, give_proof
from support.items import upload
from support.layout_checks import flaws
from support.mails import MailCommand
from support.other_services import provider
from support.pages import toast, words
from support.push_service import PushService, push_phone, turn_on, wait_shown
from support.server import free_port


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
    expect(toast(page, "The test mail was sent")).to_be_visible()
    assert [mail for mail in mails.all() if "To: guest@example.org" in mail]
    expect(page.get_by_text("Sent", exact=True).first).to_be_visible()
    assert flaws(page) == []


@pytest.mark.spec("H-11", "H-12")
def test_checks_and_backups_are_listed(own_server, sign_in, tmp_path):
    server = own_server()
    page = sign_in(administrator_of(server))
    page.goto("/admin/checks")
    expect(page.get_by_text("No backup has been verified yet.")).to_be_visible()
    expect(page.get_by_text(re.compile("No problems were found. There are [0-9]+ recommendations."))).to_be_visible()
    written = server.command("backup", str(tmp_path / "all.homeward"))
    assert written.returncode == 0, written.stderr
    page.goto("/admin/backups")
    expect(page.get_by_text("Read back and verified")).to_be_visible()
    assert flaws(page) == []
    page.goto("/admin/checks")
    expect(page.get_by_text("The newest verified backup is less than an hour old.")).to_be_visible()
    assert flaws(page) == []
    found = server.command("doctor")
    assert found.returncode == 0, found.stderr
    assert "The newest verified backup is less than an hour old." in found.stdout
    assert "Mail isn’t set up." in found.stdout


@pytest.mark.spec("H-13")
def test_a_provider_is_tried(provider, own_server, sign_in):
    settings = provider.settings()
    settings["HOMEWARD_GOOGLE_ISSUER"] = f"http://127.0.0.1:{free_port()}"
    del settings["HOMEWARD_FACEBOOK_CLIENT_ID"], settings["HOMEWARD_FACEBOOK_CLIENT_SECRET"]
    del settings["HOMEWARD_FACEBOOK_ISSUER"]
    server = own_server(None, settings)
    administrator = administrator_of(server)
    people = administrator.call("GET", "/admin/people")["items"]
    page = sign_in(administrator)
    page.goto("/admin/providers")
    expect(page.get_by_text("HOMEWARD_FACEBOOK_CLIENT_ID, HOMEWARD_FACEBOOK_CLIENT_SECRET")).to_be_visible()
    expect(page.get_by_text(f"{server.url}/sign-in/oidc/callback")).to_be_visible()
    expect(page.get_by_role("button", name="Try Facebook")).to_have_count(0)
    assert flaws(page) == []
    page.get_by_role("button", name="Try Our own").click()
    expect(page.get_by_text("It accepts this server’s client ID and secret.")).to_be_visible()
    assert flaws(page) == []
    page.get_by_role("button", name="Try Apple").click()
    expect(page.get_by_text("It accepts this server’s client ID and secret.")).to_be_visible()
    page.get_by_role("button", name="Try Google").click()
    expect(page.get_by_text("doesn’t respond")).to_be_visible()
    expect(page.get_by_text("Check the issuer’s setting, and that this server reaches the internet.")).to_be_visible()
    assert administrator.call("GET", "/admin/people")["items"] == people


@pytest.mark.spec("H-14")
def test_a_test_notification_says_what_the_push_service_responded(playwright, own_server):
    push = PushService()
    try:
        server = own_server(environment=push.environment())
        administrator = administrator_of(server)
        with push_phone(playwright, administrator, push) as page:
            page.goto("/admin/push")
            expect(page.get_by_role("heading", name="Notifications are off")).to_be_visible()
            page.get_by_role("link", name="Open notification settings").click()
            expect(page.get_by_role("button", name="Turn on notifications")).to_be_visible()
            turn_on(page, push)
            page.goto("/admin/push")
            test = page.get_by_role("button", name=re.compile("^Test notification to .*this device"))
            test.click()
            expect(toast(page, "The push service accepted it. It should appear in a moment.")).to_be_visible()
            assert push.next().status == 201
            [notification] = wait_shown(page)
            assert notification["title"] == "Notifications work"
            push.answer(503)
            test.click()
            expect(page.get_by_role("alert")).to_contain_text("The push service is busy (status 503).")
            push.answer(410)
            test.click()
            expect(page.get_by_role("alert")).to_contain_text("The push service no longer knows this device.")
            expect(page.get_by_role("heading", name="Notifications are off")).to_be_visible()
    finally:
        push.close()


@pytest.mark.spec("H-15")
def test_a_wallet_is_topped_up_and_paid_out(administrator, engine, person, sign_in):
    ben = person("Ben Wallet")
    ben.call("PATCH", "/account", {"phone": "+4930123456"}, expect=200)
    page = sign_in(administrator)
    page.goto("/admin/wallets")
    page.get_by_label("Name, email or ID").fill(ben.email)
    page.get_by_role("link", name=re.compile("Ben Wallet")).click()
    expect(page.get_by_role("button", name="Top up")).to_have_count(0)
    give_proof(page, administrator)
    page.get_by_label("Amount").fill("12.50")
    page.get_by_label("What it is for").fill("Cash at the market")
    page.get_by_role("button", name="Top up").click()
    confirm(page, "Top up")
    expect(toast(page, "Topped up")).to_be_visible()
    expect(page.get_by_text("€12.50 topped up")).to_be_visible()
    page.get_by_label("Amount").fill("2.50")
    page.get_by_label("What it is for").fill("Cash back")
    page.get_by_role("button", name="Pay out").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text(re.compile(r"Pay 2\.50\sEUR out of Ben Wallet’s wallet\?"))
    question.get_by_role("button", name=words("Cancel")).click()
    expect(question).to_have_count(0)
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 11250
    page.get_by_role("button", name="Pay out").click()
    confirm(page, "Pay out")
    expect(toast(page, "Paid out")).to_be_visible()
    assert flaws(page) == []
    assert ben.call("GET", "/carrepsa/wallet")["balance"] == 11000


@pytest.mark.spec("H-16")
@pytest.mark.smoke
@pytest.mark.engines
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
    ledger = administrator.call("GET", "/admin/ledger")
    assert ledger["verifications"][0]["result"] == "sound"
    page.goto("/admin")
    expect(page.get_by_role("link", name="Packages in dispute")).to_have_attribute("href", "/carrepsa/disputes")


@pytest.mark.spec("H-17")
def test_an_account_gets_limits_of_its_own(administrator, engine, person, sign_in):
    ben = person("Ben Storage")
    upload(ben)
    page = sign_in(administrator)
    open_person(page, "Ben Storage", ben.email)
    page.get_by_role("link", name="Storage", exact=True).click()
    expect(page.get_by_text("1 of 2,000")).to_be_visible()
    expect(page.get_by_label("Maximum number of photos")).to_have_count(0)
    give_proof(page, administrator)
    page.get_by_label("Maximum number of photos").fill("few")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Enter a whole number.")).to_be_visible()
    expect(page.get_by_label("Maximum number of photos")).to_have_value("few")
    assert flaws(page) == []
    page.get_by_label("Maximum number of photos").fill("1")
    page.get_by_role("button", name="Save").click()
    expect(toast(page, "Saved")).to_be_visible()
    expect(page.get_by_text("1 of 1", exact=True)).to_be_visible()
    upload(ben, expect=409)
    own = sign_in(ben)
    own.goto("/account")
    own.get_by_role("link", name="Storage", exact=True).click()
    expect(own.get_by_text("You’ve reached a limit or are close to one.")).to_be_visible()
    assert flaws(own) == []
    page.goto("/admin/storage")
    expect(page.get_by_text("Free disk space")).to_be_visible()
    assert flaws(page) == []
