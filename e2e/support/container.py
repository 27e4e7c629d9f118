"""The image of `scripts/image`, run as its configuration says, without a container engine."""

import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
from pathlib import Path

from support.packages import build_packages, run_script, shared_folder
from support.patience import answers, wait_until
from support.server import BINARIES, START_SECONDS, STOP_SECONDS, Endpoint, free_port

# What a container engine prepares: a read-only root with the volume, a temporary folder, /proc and /dev. SWIFT is the
# folder of Swift's libraries, which the programs of a debug build need and those of a package contain.
PREPARE = """
set -e
mount --bind "$ROOT" "$ROOT"
mount --bind "$DATA" "$ROOT/data"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
[ -z "$SWIFT" ] || mount --bind "$SWIFT" "$ROOT$SWIFT"
mount -o remount,bind,ro "$ROOT"
exec "$@"
"""
# Without capabilities, apart from those that change root and user, which the other user then lacks.
RESTRICTED = ["--no-new-privs", "--bounding-set=-all,+sys_chroot,+setuid,+setgid", "--inh-caps=-all"]
ISOLATED = ["unshare", "--mount", "--propagation", "private", "--ipc", "--uts"]


def can_isolate():
    return os.geteuid() == 0 and subprocess.run([*ISOLATED, "true"], capture_output=True, check=False).returncode == 0


def build(tmp_path_factory):
    """Builds the image once for all test processes. Returns the package and the image."""
    package = next(build_packages(tmp_path_factory).glob("homeward_*.deb"))
    with shared_folder(tmp_path_factory, "image") as folder:
        image = folder / "image.tar"
        if not image.exists():
            build_image(package, folder / "building")
            (folder / "building").rename(image)
    return package, image


def build_image(package, output):
    run_script("image", "--package", package, "--output", output)


def swift_libraries():
    """Returns the folder of Swift's libraries if the program needs them, or an empty text."""
    needed = subprocess.run(["ldd", BINARIES / "homeward"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"libswiftCore\.so => (\S+)/libswiftCore", needed)
    return found.group(1) if found else ""


class Image:
    """The files and the configuration of an image, unpacked by umoci."""

    def __init__(self, file, folder):
        self.layout = folder / "layout"
        with tarfile.open(file) as archive:
            archive.extractall(self.layout, filter="data")
        subprocess.run(["umoci", "unpack", "--image", f"{self.layout}:latest", folder / "bundle"], check=True,
                       capture_output=True, timeout=120)
        self.root = folder / "bundle" / "rootfs"
        self.index = json.loads((self.layout / "index.json").read_text())
        self.manifest = self._blob(self.index["manifests"][0])
        self.configuration = self._blob(self.manifest["config"])
        self.config = self.configuration["config"]

    def _blob(self, descriptor):
        return json.loads((self.layout / "blobs" / descriptor["digest"].replace(":", "/")).read_text())


class Container(Endpoint):
    """A container of an image, with a volume that survives it."""

    def __init__(self, image, **environment):
        self.image = image
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-container-"))
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.swift = swift_libraries()
        self.volume = self.folder / "data"
        # An engine copies owner and mode of the image's folder to a new volume.
        shutil.copytree(image.root / "data", self.volume)
        owner = (image.root / "data").stat()
        os.chown(self.volume, owner.st_uid, owner.st_gid)
        if self.swift:
            (image.root / self.swift.lstrip("/")).mkdir(parents=True, exist_ok=True)
        # The image listens on all addresses, the test on loopback only.
        self.environment = {**dict(entry.split("=", 1) for entry in image.config["Env"]),
                            "HOMEWARD_LISTEN": f"127.0.0.1:{self.port}", **environment}
        self.process = None
        self.log = self.folder / "log"

    def command(self, *program):
        """Returns a command that runs the program in a container like this one, and the environment for it."""
        root = self.image.root
        variables = ["env", "-i", *(f"{name}={value}" for name, value in self.environment.items())]
        inside = ["/usr/sbin/chroot", f"--userspec={self.image.config['User']}", "--groups=", root]
        return ([*ISOLATED, "sh", "-c", PREPARE, "sh", *variables, shutil.which("setpriv"), *RESTRICTED, *inside,
                 *program], {**os.environ, "ROOT": str(root), "DATA": str(self.volume), "SWIFT": self.swift})

    def health(self):
        """Runs the image's health check. Returns its exit status."""
        kind, *check = self.image.config["Healthcheck"]["Test"]
        assert kind == "CMD"
        command, environment = self.command(*check)
        return subprocess.run(command, env=environment, timeout=60, check=False, capture_output=True).returncode

    def start(self):
        command, environment = self.command(*self.image.config["Entrypoint"], *self.image.config["Cmd"])
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def is_ready():
            assert self.process.poll() is None, self.log.read_text()
            return self.request("GET", "/health/ready")[0] == 200

        wait_until(answers(is_ready, OSError), START_SECONDS, self.log.read_text)
        return self

    def stop(self):
        """Stops it as an engine does, and returns the exit status."""
        self.process.send_signal(getattr(signal, self.image.config["StopSignal"]))
        return self.process.wait(STOP_SECONDS)

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
