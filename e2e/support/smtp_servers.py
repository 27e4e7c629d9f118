"""Mail servers on loopback: aiosmtpd, Exim, and sockets that break the protocol."""

import asyncio
import contextlib
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from support.mails import parse_mail
from support.patience import wait_until

USER, PASSWORD = "ada@example.org", "p/a:s%s word"
USER_INFO = "ada%40example.org:p%2Fa%3As%25s%20word"
EXIM = Path("/usr/sbin/exim4")
HOST_LINE = b"220 mail.test ESMTP\r\n"


class Certificate:
    """A certificate for localhost that is its own authority."""

    def __init__(self, folder):
        folder.mkdir()
        self.key, self.chain = folder / "key.pem", folder / "chain.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", self.key, "-out", self.chain],
            check=True, capture_output=True)

    def context(self):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.chain, self.key)
        return context


class Mailbox:
    """The mails that a server accepted, and the replies to recipients and contents."""

    def __init__(self):
        self.mails = []
        self.recipient_replies = {}
        self.pause_seconds = 0
        self.password = PASSWORD
        self.sessions = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        replies = self.recipient_replies.get(address)
        if replies:
            return replies.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(envelope)
        self.sessions.append(session)
        await asyncio.sleep(self.pause_seconds)
        return "250 2.0.0 Queued"

    def authenticate(self, server, session, envelope, mechanism, auth_data):
        right = (auth_data.login, auth_data.password) == (USER.encode(), self.password.encode())
        return AuthResult(success=right, handled=False)

    def to(self, address):
        """Returns the texts of the mails to an address, with their headers."""
        return [parse_mail(mail.content) for mail in self.mails if address in mail.rcpt_tos]


@contextlib.contextmanager
def aiosmtpd(port, mailbox, certificate=None, is_implicit=False, requires_password=True):
    """Runs aiosmtpd. Without a certificate, it offers no STARTTLS."""
    context = certificate.context() if certificate else None
    options = {"ssl_context": context} if is_implicit else {"tls_context": context, "require_starttls": bool(context)}
    controller = Controller(
        mailbox, hostname="127.0.0.1", port=port, authenticator=mailbox.authenticate,
        auth_required=requires_password, auth_require_tls=False, server_hostname="mail.test", **options)
    controller.start()
    try:
        yield controller
    finally:
        controller.stop()


class ScriptedServer:
    """A listening socket that handles each connection by a function, which may break the protocol."""

    def __init__(self, port, handle):
        self.handle = handle
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection):
        with connection, contextlib.suppress(OSError):
            self.handle(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A closed socket alone doesn't wake the thread.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def wait_for_client(connection):
    """Waits until the client closes the connection."""
    while connection.recv(4096):
        pass


def garbage(connection):
    connection.sendall(bytes(range(256)) * 16 + b"\r\n")


def endless_reply(connection):
    connection.sendall(HOST_LINE)
    connection.recv(4096)
    while True:
        connection.sendall(b"250-more of it\r\n" * 1024)


def closed_after_content(connection, received):
    """Accepts a whole mail, adds its lines to `received`, and closes the connection in place of the last reply."""
    connection.sendall(HOST_LINE)
    lines = connection.makefile("rb")
    for line in lines:
        word = line[:4].upper()
        if word == b"DATA":
            connection.sendall(b"354 Go on\r\n")
            received.extend(iter(lines.readline, b".\r\n"))
            return
        connection.sendall(b"250 OK\r\n")


class Exim:
    """Exim with its own configuration and spool: each connection gets a process on its socket, as by inetd. It queues
    mails and delivers none."""

    CONFIGURATION = """\
spool_directory = {folder}/spool
log_file_path = {folder}/%slog
primary_hostname = mail.test
queue_only = true
keep_environment =
auth_advertise_hosts = ${{if eq{{$tls_in_cipher}}{{}}{{}}{{*}}}}
tls_advertise_hosts = *
tls_certificate = {folder}/chain.pem
tls_privatekey = {folder}/key.pem
acl_smtp_rcpt = recipient
begin acl
recipient:
  deny local_parts = unknown
       message = 5.1.1 No such user
  accept authenticated = *
  deny message = relay not permitted
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if and {{{{eq{{$auth2}}{{{user}}}}}{{eq{{$auth3}}{{{password}}}}}}}}}
  server_set_id = $auth2
"""

    def __init__(self, port, certificate):
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-exim-"))
        self.prefix = []
        for file in (certificate.key, certificate.chain):
            shutil.copy(file, self.folder)
        configuration = self.CONFIGURATION.format(folder=self.folder, user=USER, password=PASSWORD)
        (self.folder / "exim.conf").write_text(configuration)
        (self.folder / "spool").mkdir()
        if os.geteuid() == 0:
            self.prefix = ["runuser", "-u", "Debian-exim", "--"]
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "Debian-exim")
        self.processes = []
        self.listener = ScriptedServer(port, self._serve)

    def _serve(self, connection):
        self.processes.append(subprocess.Popen(
            [*self.prefix, EXIM, "-C", self.folder / "exim.conf", "-bs"], stdin=connection, stdout=connection,
            stderr=subprocess.DEVNULL))

    def messages(self):
        """Returns the queued mails, without most headers: these are in files of another format."""
        found = []
        for file in (self.folder / "spool" / "input").glob("*-D"):
            # The first line names the file. The second one is the boundary of the parts.
            _, content = file.read_bytes().split(b"\n", 1)
            boundary = content.splitlines()[0].removeprefix(b"--")
            found.append(b'Content-Type: multipart/alternative; boundary="' + boundary + b'"\n\n' + content)
        return found

    def log(self):
        return "".join(file.read_text() for file in self.folder.glob("*log"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.__exit__()
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def wait_for_mail(mailbox, address, seconds=15):
    """Waits for a mail to an address, and returns its text with its headers."""
    return wait_until(lambda: mailbox.to(address), seconds, lambda: f"no mail to {address}")[0]
