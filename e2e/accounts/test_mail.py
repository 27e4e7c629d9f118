"""Queued mails in the store: a server that is killed loses none."""

import sqlite3

import pytest

from support.mails import MailCommand
from support.patience import wait_until
from support.server import Person
from support.stored_clock import StoredClock


@pytest.fixture
def gated(own_server, tmp_path):
    """A server whose mail command fails until its gate is open."""
    mails = MailCommand(tmp_path, has_gate=True)
    return own_server(environment=mails.environment), mails


def waiting(server):
    connection = sqlite3.connect(f"file:{server.folder / 'data' / 'homeward.sqlite'}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT COUNT(*) FROM job WHERE dead_at IS NULL AND lane LIKE 'mail-%'").fetchone()[0]
    finally:
        connection.close()


class Pauses(StoredClock):
    def end(self):
        """Ends the pause before the next try."""
        return self._change("UPDATE job SET due_at = 0 WHERE lane LIKE 'mail-%'")

    def expire(self):
        """Lets the time of all queued mails run out."""
        return self._change("UPDATE job SET due_at = 0, queued_at = 0, expires_at = 3600000 WHERE lane LIKE 'mail-%'")


def test_queued_mails_are_sent_after_the_server_was_killed(gated):
    server, mails = gated
    ada = Person(server)
    status, _, _ = server.request("POST", "/password-resets", {"email": ada.email})
    assert status == 202
    status, _, _ = server.request("POST", "/password-resets", {"email": "unknown@example.org"})
    assert status == 202
    # The request for an address without an account is done and sends nothing.
    wait_until(lambda: waiting(server) == 2, 20, lambda: f"{waiting(server)} mails wait")
    server.kill()
    assert waiting(server) == 2 and mails.all() == []

    mails.open()
    Pauses(server).end()
    server.start()
    wait_until(lambda: len(mails.all()) == 2, 20, lambda: f"{mails.all()}")
    assert all(f"To: {ada.email}" in mail for mail in mails.all())
    assert sum("/email-verifications/" in mail for mail in mails.all()) == 1
    # The address isn't confirmed yet, so the mail explains why it contains no link.
    assert sum("Subject: No link for a new password" in mail for mail in mails.all()) == 1
    wait_until(lambda: waiting(server) == 0, 20, "mails that were sent still wait")


def test_failed_mails_are_listed_and_a_security_notice_can_be_sent_again(gated):
    server, mails = gated
    ada = Person(server)
    ada.call("PATCH", "/account", {"email": "new@example.org", "password": ada.password}, expect=200)
    wait_until(lambda: waiting(server) == 3, 20, lambda: f"{waiting(server)} mails wait")
    server.kill()
    Pauses(server).expire()
    server.start()
    wait_until(lambda: waiting(server) == 0, 20, "expired mails still wait")
    listed = server.command("jobs", "list")
    assert listed.returncode == 0, listed.stderr
    jobs = [line.split("\t") for line in listed.stdout.splitlines()]
    assert sorted((job[1], job[2], job[6]) for job in jobs) == [
        ("mail-account", "email-change", "final"),
        ("mail-account", "verification", "final"),
        ("mail-security", "email-change-requested", "retryable"),
    ]
    assert ada.email not in listed.stdout and "new@example.org" not in listed.stdout
    wait_until(lambda: b'homeward_dead_jobs{lane="mail-account"} 2' in server.request("GET", "/metrics")[2], 20,
               lambda: server.request("GET", "/metrics")[2].decode())

    mails.open()
    result = server.command("jobs", "retry", *(job[0] for job in jobs))
    assert result.returncode == 1, result.stderr
    words = {"retryable": "Enqueued", "final": "Did not enqueue"}
    for job in jobs:
        assert f"{words[job[6]]} {job[0]}." in result.stdout
    wait_until(lambda: len(mails.all()) == 1, 20, lambda: f"{mails.all()}")
    assert f"To: {ada.email}" in mails.all()[0]
    assert "isn't a job ID" in server.command("jobs", "retry", "1").stderr
