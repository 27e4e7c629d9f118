"""Mail by SMTP, with real mail servers: encryption, passwords, refusals, broken servers, and crashes."""

import email
import email.policy
import re
import sqlite3
import subprocess

import pytest

from support import smtp_servers
from support.layout_checks import scrolls_sideways
from support.mails import parse_mail
from support.patience import wait_until
from support.server import BINARIES, Person, Server, free_port
from support.smtp_servers import (
    EXIM,
    PASSWORD,
    USER_INFO,
    Certificate,
    Exim,
    Mailbox,
    ScriptedServer,
    aiosmtpd,
    wait_for_mail,
)
from support.stored_clock import StoredClock

CONFIRM = "/email-verifications/"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return Certificate(tmp_path_factory.mktemp("smtp") / "own")


class MailingServer(Server):
    """A Homeward server that sends mail to a port, on which each test runs a mail server."""

    def __init__(self, scheme, certificate, query=""):
        self.mail_port = free_port()
        super().__init__(environment={
            "HOMEWARD_SMTP_URL": f"{scheme}://{USER_INFO}@localhost:{self.mail_port}{query}",
            "HOMEWARD_SMTP_CA_FILE": str(certificate.chain), "HOMEWARD_SMTP_FROM": "post@home.example"})

    def log_of_mails(self, address):
        """Returns (result, reason, reply code, attempts) of the mails to an address."""
        path = self.folder / "data" / "homeward.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            return connection.execute(
                "SELECT result, message, reply_code, attempts FROM mail_log WHERE recipient = ?", (address,)).fetchall()

    def wait_for_log(self, address, *expected, seconds=15):
        wait_until(lambda: self.log_of_mails(address) == [expected], seconds,
                   lambda: f"{self.log_of_mails(address)}\n{self.log_text()[-2000:]}")

    def retry(self):
        """Ends the pause before the next attempt. The worker looks for due mails every five seconds."""
        Pauses(self).end()


class Pauses(StoredClock):
    def end(self):
        self._change("UPDATE job SET due_at = 0 WHERE lane LIKE 'mail-%' AND is_leased = 0 AND dead_at IS NULL")


@pytest.fixture(scope="module")
def start_tls(certificate):
    server = MailingServer("smtp", certificate).start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def implicit(certificate):
    server = MailingServer("smtps", certificate).start()
    yield server
    server.close()


def test_mail_is_sent_with_implicit_tls_and_a_password(implicit, certificate):
    mailbox = Mailbox()
    with aiosmtpd(implicit.mail_port, mailbox, certificate, is_implicit=True):
        ada = Person(implicit)
        text = wait_for_mail(mailbox, ada.email)
    envelope, session = mailbox.mails[0], mailbox.sessions[0]
    assert envelope.mail_from == "post@home.example" and envelope.rcpt_tos == [ada.email]
    assert session.authenticated and session.host_name == "localhost"
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    assert message["From"] == "Homeward <post@home.example>" and message["To"] == ada.email
    assert message["Auto-Submitted"] == "auto-generated" and message["Date"].datetime.utcoffset().seconds == 0
    assert re.fullmatch(r"<[-0-9a-f]{36}@localhost>", message["Message-ID"])
    assert envelope.content.replace(b"\r\n", b"").count(b"\n") == 0, "all lines end with CR LF"
    link = re.search(rf"{implicit.url}{CONFIRM}\S+", text).group()
    plain, html = message.iter_parts()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert f'<a href="{link}">' in html.get_content()
    implicit.wait_for_log(ada.email, "sent", None, 250, 1)


def test_a_mail_with_html_is_readable_for_a_browser(implicit, certificate, phone):
    mailbox = Mailbox()
    with aiosmtpd(implicit.mail_port, mailbox, certificate, is_implicit=True):
        ada = Person(implicit)
        wait_for_mail(mailbox, ada.email)
    message = email.message_from_bytes(mailbox.mails[0].content, policy=email.policy.default)
    requests = []
    page = phone(implicit)
    page.on("request", lambda request: requests.append(request.url))
    page.set_content(message.get_body(("html",)).get_content())
    assert requests == []
    assert not scrolls_sideways(page)
    assert page.get_by_role("link").count() == 1
    colours = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colours.add(page.evaluate("getComputedStyle(document.body).color"))
    assert len(colours) == 2, "the text has the colour of the mode"


def test_start_tls_is_required_and_the_certificate_is_checked(start_tls, certificate, tmp_path):
    mailbox, ada = Mailbox(), None
    with aiosmtpd(start_tls.mail_port, mailbox, requires_password=False):
        ada = Person(start_tls)
        start_tls.wait_for_log(ada.email, "retried", "encryptionMissing", None, 1)
    with aiosmtpd(start_tls.mail_port, mailbox, Certificate(tmp_path / "other")):
        start_tls.retry()
        start_tls.wait_for_log(ada.email, "retried", "certificateUntrusted", None, 2)
    assert mailbox.mails == [] and all(not session.auth_data for session in mailbox.sessions)
    with aiosmtpd(start_tls.mail_port, mailbox, certificate):
        start_tls.retry()
        wait_for_mail(mailbox, ada.email)
        start_tls.wait_for_log(ada.email, "sent", None, 250, 3)
    assert mailbox.sessions[0].ssl


def test_wrong_password_is_logged_and_retried(start_tls, certificate):
    mailbox = Mailbox()
    mailbox.password = "another"
    with aiosmtpd(start_tls.mail_port, mailbox, certificate):
        ada = Person(start_tls)
        start_tls.wait_for_log(ada.email, "retried", "credentialsRefused", 535, 1)
        assert "refused the user name or the password: check HOMEWARD_SMTP_URL" in start_tls.log_text()
        mailbox.password = PASSWORD
        start_tls.retry()
        wait_for_mail(mailbox, ada.email)


def test_refused_recipient_is_final_and_a_temporary_refusal_is_not(start_tls, certificate):
    mailbox = Mailbox()
    mailbox.recipient_replies = {
        "unknown@example.org": ["550 5.1.1 No such user"], "later@example.org": ["451 4.7.1 Try again"]}
    with aiosmtpd(start_tls.mail_port, mailbox, certificate):
        Person(start_tls, email="unknown@example.org")
        Person(start_tls, email="later@example.org")
        start_tls.wait_for_log("unknown@example.org", "failed", "recipientRefused", 550, 1)
        start_tls.wait_for_log("later@example.org", "retried", "refusedForNow", 451, 1)
        start_tls.retry()
        wait_for_mail(mailbox, "later@example.org")
        start_tls.wait_for_log("later@example.org", "sent", None, 250, 2)
    assert mailbox.to("unknown@example.org") == []
    listed = start_tls.command("jobs", "list")
    assert "The mail server refused the recipient’s address. (550 5.1.1)" in listed.stdout
    assert "unknown@example.org" not in listed.stdout


def test_international_addresses(start_tls, certificate):
    mailbox = Mailbox()
    with aiosmtpd(start_tls.mail_port, mailbox, certificate):
        Person(start_tls, email="mia@bücher.example")
        Person(start_tls, email="jürgen@example.org")
        wait_for_mail(mailbox, "mia@xn--bcher-kva.example")
        start_tls.wait_for_log("jürgen@example.org", "failed", "addressInternational", None, 1)


def test_broken_servers_lose_no_mail(start_tls, certificate):
    server, people = start_tls, []
    for handle in (smtp_servers.garbage, smtp_servers.endless_reply, lambda connection: connection.sendall(b"220 ")):
        with ScriptedServer(server.mail_port, handle):
            people.append(Person(server))
            server.wait_for_log(people[-1].email, "retried", "replyInvalid", None, 1)
    # A server that accepts the connection and says nothing.
    with ScriptedServer(server.mail_port, smtp_servers.wait_for_client) as silent:
        people.append(Person(server))
        server.wait_for_log(people[-1].email, "retried", "serverTimedOut", None, 1, seconds=25)
        assert silent.connections >= 1
    people.append(Person(server))
    server.wait_for_log(people[-1].email, "retried", "serverUnreachable", None, 1)
    mailbox = Mailbox()
    with aiosmtpd(server.mail_port, mailbox, certificate):
        server.retry()
        for person in people:
            wait_for_mail(mailbox, person.email)


def test_connection_that_ends_after_the_content_sends_the_same_message_again(own_mailing, certificate):
    server = own_mailing(MailingServer("smtp", certificate, "?tls=none"))
    received = []

    def accept(connection):
        smtp_servers.closed_after_content(connection, received)

    with ScriptedServer(server.mail_port, accept):
        ada = Person(server)
        server.wait_for_log(ada.email, "retried", "replyInvalid", None, 1)
    mailbox = Mailbox()
    with aiosmtpd(server.mail_port, mailbox, requires_password=False):
        server.retry()
        again = wait_for_mail(mailbox, ada.email)
    first = parse_mail(b"".join(received))
    identity = re.compile(r"^Message-ID: .+$", re.MULTILINE)
    assert identity.findall(first) == identity.findall(again)


@pytest.fixture
def own_mailing():
    made = []

    def start(server):
        made.append(server)
        return server.start()

    yield start
    for server in made:
        server.close()


def test_kill_between_mails_loses_none(own_mailing, certificate):
    server = own_mailing(MailingServer("smtp", certificate))
    mailbox = Mailbox()
    mailbox.pause_seconds = 0.1
    with aiosmtpd(server.mail_port, mailbox, certificate):
        people = [Person(server) for _ in range(12)]
        wait_until(lambda: len(mailbox.mails) >= 3, 20)
        server.kill()
        before = len(mailbox.mails)
        assert before < len(people)
        # A lease of the killed server lasts a minute.
        StoredClockOfLeases(server).end()
        server.start()
        for person in people:
            wait_for_mail(mailbox, person.email)
        for person in people:
            # The mail of the killed server has two attempts.
            wait_until(lambda email=person.email: [row[0] for row in server.log_of_mails(email)] == ["sent"], 15,
                       lambda email=person.email: f"{server.log_of_mails(email)}")
    for person in people:
        found = [email.message_from_bytes(mail.content)["Message-ID"]
                 for mail in mailbox.mails if person.email in mail.rcpt_tos]
        assert len(set(found)) == 1 and len(found) <= 2


class StoredClockOfLeases(StoredClock):
    def end(self):
        self._change("UPDATE job SET due_at = 0 WHERE lane LIKE 'mail-%' AND dead_at IS NULL")


@pytest.mark.skipif(not EXIM.exists(), reason="another mail server is installed in place of Exim")
def test_exim_accepts_a_mail_and_refuses_an_unknown_recipient(start_tls, certificate):
    with Exim(start_tls.mail_port, certificate) as exim:
        ada = Person(start_tls, email="ada-of-exim@example.org")
        Person(start_tls, email="unknown@exim.example.org")
        start_tls.wait_for_log(ada.email, "sent", None, 250, 1)
        start_tls.wait_for_log("unknown@exim.example.org", "failed", "recipientRefused", 550, 1)
        assert any(CONFIRM in parse_mail(mail) for mail in exim.messages())
        assert re.search(r"X=TLS1\.[23].* A=plain:ada@example\.org", exim.log())


def test_password_is_in_no_log_message_or_flag(start_tls, implicit):
    for server in (start_tls, implicit):
        assert PASSWORD not in server.log_text() and "p%2Fa" not in server.log_text()
    url = f"smtps://{USER_INFO}@mail.example"
    for arguments, environment, expected in (
            (["--smtp-url", url], {}, "Set HOMEWARD_SMTP_URL in the environment"),
            ([], {"HOMEWARD_SMTP_URL": f"{url}/path"}, "HOMEWARD_SMTP_URL: give smtps://"),
            ([], {"HOMEWARD_SMTP_URL": url, "HOMEWARD_MAIL": "sendmail"}, "can't be combined with HOMEWARD_MAIL")):
        result = subprocess.run(
            [BINARIES / "homeward", "serve", *arguments], env={"HOMEWARD_DATA": "/nonexistent", **environment},
            capture_output=True, text=True, timeout=30, check=False)
        assert result.returncode != 0 and expected in result.stderr, result.stderr
        assert "p%2Fa" not in result.stderr and PASSWORD not in result.stderr
