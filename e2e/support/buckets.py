"""A real S3 server that checks signatures (rclone's), and a reader of the position archive (docs/fix-archive.md) that
shares no code with the product."""

import hashlib
import math
import re
import shutil
import struct
import subprocess
import tempfile
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from support.patience import wait_until
from support.program import ChildProcess
from support.server import ROOT

RCLONE = ROOT / ".tools" / "rclone" / "rclone"
ACCESS_KEY = "AKIAHOMEWARDBROWSER"
SECRET_KEY = "another/secret+with=signs"
NAME = "homeward-e2e"


class Bucket(ChildProcess):
    name = "bucket"

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-s3-"))
        (self.folder / "content" / NAME).mkdir(parents=True)
        self.address = "127.0.0.1:0"
        try:
            self.start()
        except BaseException:
            if self.is_running:
                self.kill()
            raise

    def start(self):
        """Starts the server, after `kill` on the same port and with the same objects."""
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen(
                [RCLONE, "serve", "s3", "--config", "", "--addr", self.address,
                 "--auth-key", f"{ACCESS_KEY},{SECRET_KEY}", "--vfs-cache-mode", "writes", "--vfs-write-back", "0",
                 "--cache-dir", self.folder / "cache", self.folder / "content"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.endpoint = wait_until(self._endpoint, 20, lambda: (self.folder / "log").read_text())
        self.address = self.endpoint.removeprefix("http://")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def _endpoint(self):
        found = re.search(r"Starting s3 server on \[(http://127\.0\.0\.1:\d+)", (self.folder / "log").read_text())
        return found and found.group(1)

    def environment(self, **changes):
        """The settings with which a server stores its objects in this bucket."""
        return {"HOMEWARD_OBJECTS": f"s3://{NAME}/home?endpoint={self.endpoint}&region=eu-test-1",
                "HOMEWARD_OBJECTS_ACCESS_KEY": ACCESS_KEY, "HOMEWARD_OBJECTS_SECRET_KEY": SECRET_KEY, **changes}

    def _rclone(self, *arguments, **options):
        # A client that is not the server's own lists and reads the objects.
        settings = ("provider=Other", f"endpoint={self.endpoint}", f"access_key_id={ACCESS_KEY}",
                    f"secret_access_key={SECRET_KEY}", "region=eu-test-1")
        remote = ":s3," + ",".join(f"{name}='{value}'" for name, value in (one.split("=", 1) for one in settings))
        made = [str(argument).replace("BUCKET", f"{remote}:{NAME}") for argument in arguments]
        return subprocess.run([RCLONE, "--config", "", *made], check=True, capture_output=True, timeout=30,
                              **options).stdout

    def keys(self, below=""):
        listed = self._rclone("lsf", "--recursive", "--files-only", "BUCKET").decode().splitlines()
        return sorted(key for key in listed if key.startswith(below))

    def read(self, key):
        return self._rclone("cat", f"BUCKET/{key}")

    def write(self, key, content):
        self._rclone("rcat", f"BUCKET/{key}", input=content)

    def segments(self, item):
        return [Segment(self.read(key), key) for key in self.keys(f"home/fixes/{item}/")]

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Segment:
    """One object of the archive."""

    def __init__(self, content, key):
        assert content[:8] == b"HWFIXSEG" and hashlib.sha256(content[:-32]).digest() == content[-32:]
        (version,) = struct.unpack(">H", content[8:10])
        assert version == 1
        self.id, self.item = (str(uuid.UUID(bytes=content[start:start + 16])) for start in (10, 26))
        (days,) = struct.unpack(">i", content[42:46])
        self.day = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=days)).strftime("%Y-%m-%d")
        self.source, place = self._text(content, 46)
        self.device, place = self._text(content, place)
        (count,) = struct.unpack(">I", content[place:place + 4])
        place += 4
        self.fixes = []
        for _ in range(count):
            at, latitude, longitude, accuracy, altitude, speed, heading, battery = struct.unpack(
                ">q6dB", content[place:place + 57])
            place += 57
            values = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy, "altitude": altitude,
                      "speed": speed, "heading": heading}
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
            self.fixes.append({
                "at": moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03d}Z",
                **{name: None if math.isnan(value) else value for name, value in values.items()},
                "battery": None if battery == 255 else battery, "source": self.source,
            })
        assert place == len(content) - 32
        assert key == f"home/fixes/{self.item}/{self.day}/{self.id}.fixes"

    @staticmethod
    def _text(content, place):
        (length,) = struct.unpack(">H", content[place:place + 2])
        return content[place + 2:place + 2 + length].decode(), place + 2 + length
