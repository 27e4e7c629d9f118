"""The key files next to the store: a server without them, or with other keys, doesn't start and says what to do."""

import os
import subprocess

from support.server import BINARIES

KEYS = ("ledger.key", "push.key", "secret.key")


def refusal(server):
    """Returns the output of `homeward serve` if it ends at once."""
    answer = subprocess.run([BINARIES / "homeward", "serve"], env=server.environment, cwd=server.folder,
                            capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode != 0
    return answer.stderr


def test_server_without_its_keys_does_not_start_until_new_keys_are_adopted(own_server):
    server = own_server()
    data = server.folder / "data"
    assert {name for name in os.listdir(data) if name.endswith(".key")} == set(KEYS)
    assert server.command("keys", "list").stdout.splitlines() == [
        "secret.key\tmatches", "push.key\tmatches", "ledger.key\tmatches"]
    assert "The keys belong to this database" in server.command("doctor").stdout
    (data / "push.key").chmod(0o640)
    data.chmod(0o755)
    found = server.command("doctor")
    assert found.returncode == 1 and "Other users of this computer can read keys: push.key" in found.stdout
    server.stop()

    (data / "push.key").unlink()
    (data / "secret.key").write_bytes(bytes(32))
    told = refusal(server)
    assert "push.key is missing" in told
    found = server.command("doctor")
    assert found.returncode == 1 and "The data can’t be opened" in found.stdout
    assert "push.key is missing" in found.stdout
    assert not (data / "push.key").exists()

    wrong = server.command("keys", "adopt", "other.key")
    assert wrong.returncode != 0 and "is no key file" in wrong.stderr
    assert server.command("keys", "adopt", "push.key").returncode == 0
    assert "secret.key is not the key" in refusal(server)
    adopted = server.command("keys", "adopt", "secret.key")
    assert "pair those trackers again" in adopted.stdout
    server.start()
