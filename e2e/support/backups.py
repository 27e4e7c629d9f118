"""Backups of a cluster's database by pgBackRest, with the write-ahead log, and copies restored from them to a time. The
commands are those of docs/operating.md."""

import contextlib
import os
import shutil
import subprocess

from support.patience import wait_until
from support.program import POSTGRES_USER
from support.server import free_port, postgres_binaries

STANZA = "homeward"
COMMAND_SECONDS = 120


def run(*command):
    """Runs a program as PostgreSQL's user and returns its output."""
    done = subprocess.run(command, cwd="/", env={**os.environ, "HOME": "/"}, capture_output=True, text=True,
                          timeout=COMMAND_SECONDS, check=False, **POSTGRES_USER)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Backups:
    """A repository in a folder, which outlives the members."""

    def __init__(self, folder):
        self.folder = folder
        if POSTGRES_USER:
            shutil.chown(folder, "postgres")

    def settings(self, name, data, port, sockets):
        """Writes the settings for the server with this data folder, and returns their path."""
        path = self.folder / f"{name}.conf"
        path.write_text(
            f"[global]\nrepo1-path={self.folder}/repository\nrepo1-retention-full=4\nstart-fast=y\n"
            f"lock-path={self.folder}/lock\nlog-path={self.folder}/log\nspool-path={self.folder}/spool\n"
            f"[{STANZA}]\npg1-path={data}\npg1-port={port}\npg1-socket-path={sockets}\npg1-user=postgres\n")
        return path

    def parameters(self, name, data, port, sockets):
        """Returns the parameters with which a member archives its write-ahead log."""
        settings = self.settings(name, data, port, sockets)
        return {"archive_mode": "on",
                "archive_command": f"pgbackrest --config={settings} --stanza={STANZA} archive-push %p"}

    def command(self, name, *arguments):
        return run("pgbackrest", f"--config={self.folder}/{name}.conf", f"--stanza={STANZA}", *arguments)

    def create(self, name):
        """Makes a full backup of a member."""
        self.command(name, "stanza-create")
        self.command(name, "check")
        self.command(name, "--type=full", "backup")


class RestoredPostgres:
    """A PostgreSQL server with the content that the cluster had at a time."""

    def __init__(self, backups, target):
        self.folder, self.port = backups.folder / "restored", free_port()
        self.data, self.log = self.folder / "data", self.folder / "log"
        self.data.mkdir(parents=True)
        self.data.chmod(0o700)
        for folder in (self.folder, self.data):
            if POSTGRES_USER:
                shutil.chown(folder, "postgres")
        backups.settings("restored", self.data, self.port, self.folder)
        backups.command("restored", "--type=time", f"--target={target}", "--target-action=promote", "restore")

    def start(self):
        # The restored settings are those of the member: its addresses, its standbys and its archive, which a copy must
        # not use.
        settings = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": self.folder,
                    "hba_file": self.data / "pg_hba.conf", "ident_file": self.data / "pg_ident.conf",
                    "synchronous_standby_names": "", "archive_mode": "off"}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        run(postgres_binaries() / "pg_ctl", "-D", self.data, "-w", "-t", str(COMMAND_SECONDS), "-l", self.log,
            "-o", options, "start")
        wait_until(lambda: self.ask("SELECT pg_is_in_recovery()") == "f", COMMAND_SECONDS, self.log.read_text)
        return self

    def ask(self, statement):
        return run(postgres_binaries() / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-Atc",
                   statement).strip()

    @property
    def url(self):
        return f"postgres://homeward@127.0.0.1:{self.port}/homeward"

    def close(self):
        with contextlib.suppress(AssertionError):
            run(postgres_binaries() / "pg_ctl", "-D", self.data, "-w", "-m", "immediate", "stop")
