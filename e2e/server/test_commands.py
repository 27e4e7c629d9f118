"""Commands in a wrong folder, and the services that `homeward doctor` connects to."""

import contextlib
import re
import subprocess

import pytest

from support.nominatim import Nominatim
from support.osrm import OSRM
from support.server import BINARIES, Server, free_port
from support.smtp_servers import PASSWORD, USER_INFO, Certificate, Mailbox, aiosmtpd

# These create a store, or need none.
CREATING = {"serve", "demo", "migrate", "restore", "openapi"}
# Arguments without which a command ends before it opens the store.
ARGUMENTS = {
    "account create": ["mia@example.org", "Mia"], "account reset-link": ["mia@example.org"],
    "account operator": ["mia@example.org"], "wallet top-up": ["mia@example.org", "1.00"],
    "wallet pay-out": ["mia@example.org", "1.00"], "jobs retry": ["01890000-0000-7000-8000-000000000000"],
    "keys adopt": ["secret.key"], "backup": ["copy.backup"], "backups check": ["copy.backup", "--key-file", "/no/such"],
}


def subcommands(*path):
    """Returns the commands below a command, as its help lists them."""
    shown = subprocess.run(
        [BINARIES / "homeward", *path, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
    _, _, listed = shown.partition("SUBCOMMANDS:")
    return re.findall(r"^  ([a-z-]+)", listed, re.MULTILINE)


def commands():
    for name in subcommands():
        yield from [f"{name} {below}" for below in subcommands(name)] or [name]


@pytest.mark.spec("H-11")
def test_no_command_creates_a_store_or_keys_in_a_wrong_folder():
    server = Server()
    try:
        names = [name for name in commands() if name.split()[0] not in CREATING]
        assert len(names) > 15 and set(ARGUMENTS) <= set(names), names
        for name in names:
            done = server.command(*name.split(), *ARGUMENTS.get(name, []))
            assert done.returncode != 0, name
            assert sorted(path.name for path in server.folder.iterdir()) == [], name
            if name == "doctor":
                assert "No Homeward data was found at" in done.stdout, done.stdout
            elif name != "health":
                assert "no Homeward data was found at" in done.stderr, (name, done.stderr)
    finally:
        server.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return Certificate(tmp_path_factory.mktemp("doctor") / "own")


@pytest.mark.spec("H-11")
def test_the_doctor_signs_in_to_the_mail_server(certificate):
    port = free_port()
    server = Server(environment={
        "HOMEWARD_SMTP_URL": f"smtp://{USER_INFO}@localhost:{port}", "HOMEWARD_SMTP_CA_FILE": str(certificate.chain)})
    mailbox = Mailbox()
    try:
        assert "The mail server can’t be reached." in server.command("doctor").stdout
        with aiosmtpd(port, mailbox, certificate):
            assert "The mail server localhost accepts connections" in server.command("doctor").stdout
            mailbox.password = "another"
            assert "The mail server refused the user name or the password." in server.command("doctor").stdout
            mailbox.password = PASSWORD
        with aiosmtpd(port, mailbox):
            assert "The mail server offers no encryption." in server.command("doctor").stdout
        assert mailbox.mails == []
    finally:
        server.close()


@pytest.mark.spec("H-11")
def test_the_doctor_asks_geocoder_and_router():
    with contextlib.closing(Nominatim()) as geocoder, contextlib.closing(OSRM()) as router:
        server = Server(environment={"HOMEWARD_GEOCODER_URL": geocoder.url, "HOMEWARD_ROUTER_URL": router.url})
        try:
            shown = server.command("doctor").stdout
            assert "The geocoder responds." in shown and "The router responds." in shown, shown
            server.environment["HOMEWARD_GEOCODER_URL"] = f"http://127.0.0.1:{free_port()}"
            shown = server.command("doctor").stdout
            assert "The geocoder doesn’t work:" in shown, shown
        finally:
            server.close()
