"""`homeward demo`, as a newcomer starts it."""

import re
import signal
import subprocess
from contextlib import contextmanager
from types import SimpleNamespace

from support.server import BINARIES


@contextmanager
def running_demo(folder):
    """Runs the demo, and yields its `url`, its `people` by first name, and the code with which Lena signs in."""
    process = subprocess.Popen(
        [BINARIES / "homeward", "demo", "--listen", "127.0.0.1:0"], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "Control-C" in line:
                break
        text = "".join(lines)
        people = {email.split("@")[0]: SimpleNamespace(email=email, password=password)
                  for email, password in re.findall(r"^\s+(\S+@\S+)\s+(\S+)", text, re.M)}
        yield SimpleNamespace(
            url=re.search(r"http://localhost:\d+", text).group(0), people=people,
            child_sign_in={"url": re.search(r"http\S+sign-in\S+", text).group(0)})
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()
