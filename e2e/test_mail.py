"""Mails that wait in the store: a server that is killed loses none."""

import sqlite3

import pytest

from support.patience import wait_until
from support.server import Person
from support.stored_clock import StoredClock


@pytest.fixture
def gated(own_server, tmp_path):
    """A server whose mail command fails until there is a file `open` beside it; the mails are files, too."""
    letters = tmp_path / "letters"
    letters.mkdir()
    gate = tmp_path / "open"
    command = tmp_path / "sendmail"
    command.write_text(
        f'#!/bin/sh\n[ -e {gate} ] || exit 75\n'
        f'letter=$(mktemp {letters}/XXXXXX) && cat > "$letter" && mv "$letter" "$letter.mail"\n')
    command.chmod(0o755)
    server = own_server(environment={"HOMEWARD_MAIL": str(command)})
    return server, gate, lambda: [letter.read_text() for letter in letters.glob("*.mail")]


def waiting(server):
    connection = sqlite3.connect(f"file:{server.folder / 'data' / 'homeward.sqlite'}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT COUNT(*) FROM mail_queue").fetchone()[0]
    finally:
        connection.close()


class Pauses(StoredClock):
    def end(self):
        """As if the pause until the next try were over."""
        return self._change("UPDATE mail_queue SET due_at = 0")


def test_mails_that_wait_are_sent_after_the_server_was_killed(gated):
    server, gate, letters = gated
    ada = Person(server)
    status, _, _ = server.request("POST", "/password-resets", {"email": ada.email})
    assert status == 202
    status, _, _ = server.request("POST", "/password-resets", {"email": "nobody@example.org"})
    assert status == 202
    # The request for an address without an account is resolved, and leaves nothing to send.
    wait_until(lambda: waiting(server) == 2, 20, lambda: f"{waiting(server)} mails wait")
    server.kill()
    assert waiting(server) == 2 and letters() == []

    gate.touch()
    Pauses(server).end()
    server.start()
    wait_until(lambda: len(letters()) == 2, 20, lambda: f"{letters()}")
    assert all(f"To: {ada.email}" in letter for letter in letters())
    assert sum("/email-verifications/" in letter for letter in letters()) == 1
    # Her address isn't confirmed yet, so the mail says why it has no link.
    assert sum("Subject: No link for a new password" in letter for letter in letters()) == 1
    wait_until(lambda: waiting(server) == 0, 20, "mails that were sent still wait")
