"""A desktop, on which a test can tap system notifications and answer the browser's own dialogs: a virtual screen
(Xvfb), a session bus, and a real notification server (dunst), which implements the Desktop Notifications Specification
(https://specifications.freedesktop.org/notification-spec/latest/).

    with Desktop() as desktop:
        browser = launch(env={**os.environ, **desktop.environment()})
        desktop.press("Open details")"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from support.patience import wait_until

# dunst passes the actions of a notification to the chooser, which selects the line named by the file next to it.
CHOOSER = """#!/bin/sh
grep -F -- "$(cat {folder}/choice)"
"""
CONFIGURATION = """[global]
monitor = 0
dmenu = {folder}/chooser
idle_threshold = 0
"""
# D-Bus activation is disabled. Otherwise a client that checks for the notification server would start the system's own,
# which would then own the name.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
<type>session</type>
<listen>unix:path={folder}/bus</listen>
<auth>EXTERNAL</auth>
<policy context="default">
<allow own="*"/>
<allow send_destination="*" eavesdrop="true"/>
<allow receive_sender="*" eavesdrop="true"/>
</policy>
</busconfig>
"""
PATIENCE_SECONDS = 20


class Desktop:
    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="homeward-desktop-"))
        self._running = []
        (self.folder / "bus.conf").write_text(BUS.format(folder=self.folder))
        (self.folder / "dunstrc").write_text(CONFIGURATION.format(folder=self.folder))
        (self.folder / "chooser").write_text(CHOOSER.format(folder=self.folder))
        (self.folder / "chooser").chmod(0o700)
        try:
            self._start_screen()
            self.bus = f"unix:path={self.folder}/bus"
            self._start("dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile")
            wait_until((self.folder / "bus").exists, PATIENCE_SECONDS, "no session bus; run scripts/setup --tests")
            self._start("dunst", "-config", str(self.folder / "dunstrc"))
            wait_until(lambda: self._ask("is-paused").returncode == 0, PATIENCE_SECONDS, "dunst did not start")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self._running):
            process.terminate()
            process.wait(PATIENCE_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self):
        """The environment of programs that use this desktop."""
        return {"DISPLAY": self.display, "DBUS_SESSION_BUS_ADDRESS": self.bus}

    def shown(self):
        """Returns the number of visible notifications."""
        return json.loads(self._ask("count", "displayed").stdout or 0)

    def wait_shown(self, count=1):
        """Waits until exactly `count` notifications are visible."""
        wait_until(lambda: self.shown() == count, PATIENCE_SECONDS, lambda: f"{self.shown()} notifications are shown")

    def press(self, label):
        """Presses the button with this label on the newest notification."""
        (self.folder / "choice").write_text(label)
        self._ask("context")

    def tap(self):
        """Taps the newest notification itself."""
        self._ask("action", "0")

    def key(self, name):
        """Presses a key in the focused window, also in the browser's own dialogs."""
        subprocess.run(["xdotool", "key", name], env={**os.environ, **self.environment()}, check=True)

    def _ask(self, *words):
        return subprocess.run(["dunstctl", *words], env={**os.environ, **self.environment()}, capture_output=True,
                              text=True, check=False)

    def _start_screen(self):
        reading, writing = os.pipe()
        self._start("Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp",
                    pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = f":{number.readline().strip()}"

    def _start(self, *command, **options):
        environment = dict(os.environ)
        if hasattr(self, "bus"):
            environment.update(self.environment())
        self._running.append(subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **options))
