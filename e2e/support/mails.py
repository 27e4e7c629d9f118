"""Mails that the server has handed to a mail program: a stored command, and reading (RFC 5322, MIME)."""

import email
import email.policy
import re

from support.patience import wait_until


def parse_mail(content):
    """Returns a mail's headers and its decoded plain text."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    headers = "".join(f"{name}: {value}\n" for name, value in message.items())
    return f"{headers}\n{message.get_body(('plain',)).get_content()}"


class MailCommand:
    """A mail command that stores the mails in a folder. With a gate, it fails until the gate is open."""

    def __init__(self, folder, has_gate=False):
        self.folder = folder / "mails"
        self.folder.mkdir()
        self.gate = folder / "open"
        self.command = folder / "sendmail"
        check = f"[ -e {self.gate} ] || exit 75\n" if has_gate else ""
        self.command.write_text(
            f'#!/bin/sh\n{check}mail=$(mktemp {self.folder}/XXXXXX) && cat > "$mail" && mv "$mail" "$mail.mail"\n')
        self.command.chmod(0o755)
        self.environment = {"HOMEWARD_MAIL": str(self.command)}

    def open(self):
        """Opens the gate."""
        self.gate.touch()

    def all(self):
        """Returns the texts of all mails with their headers, the oldest first."""
        files = sorted(self.folder.glob("*.mail"), key=lambda file: file.stat().st_mtime_ns)
        return [parse_mail(file.read_bytes()) for file in files]

    def link(self, to="", subject="", start="/"):
        """Waits for a mail, and returns the path of the link in the newest one. The path begins with `start`."""
        def found():
            headers = (f"To: {to}\n" if to else "", f"Subject: {subject}\n" if subject else "")
            texts = [mail for mail in self.all() if all(header in mail for header in headers)]
            return [link.group(1) for text in texts if (link := re.search(rf"https?://[^/\s]+({start}\S*)", text))]

        return wait_until(found, 10, lambda: f"no link {start} to {to!r} in {self.all()}")[-1]
