"""The image of `scripts/image`, built from the programs that the tests run."""

import filecmp
import json
import os
import re
import stat
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml

from support import container
from support.children import Household
from support.container import Container, Image
from support.server import ROOT

COMPRESSED_BYTES = 150_000_000
LIBRARIES_BYTES = 40_000_000
CONTAINER_FILES = ROOT / "packaging" / "container"
# What the two files for engines restrict.
TEMPORARY_FOLDER = "/tmp:size=64m,mode=1777,noexec,nosuid,nodev"
HEALTH_CHECK = ["CMD", "/usr/bin/homeward", "health"]
# The keys of a container that podman-systemd.unit(5) documents and that this project could use.
QUADLET_KEYS = {
    "AutoUpdate", "ContainerName", "DropCapability", "Environment", "EnvironmentFile", "Exec", "HealthCmd",
    "HealthInterval", "HealthOnFailure", "HealthRetries", "HealthStartPeriod", "HealthTimeout", "Image", "Label",
    "Mount", "Network", "NoNewPrivileges", "PodmanArgs", "PublishPort", "Pull", "ReadOnly", "Secret", "Tmpfs", "User",
    "UserNS", "Volume",
}
# The image's user, as a number: engines that demand a user other than root can check it.
USER = 65532


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    return container.build(tmp_path_factory)


@pytest.fixture(scope="module")
def image(built, tmp_path_factory):
    return Image(built[1], tmp_path_factory.mktemp("image"))


def members(image):
    for layer in image.manifest["layers"]:
        with tarfile.open(image.layout / "blobs" / layer["digest"].replace(":", "/")) as archive:
            yield from archive


def test_image_contains_the_program_its_libraries_and_no_other_program(image):
    files = {member.name.removeprefix("./"): member for member in members(image)}
    programs = {name for name, member in files.items()
                if member.isfile() and member.mode & 0o111 and not re.search(r"\.so(\.|$)", name)}
    assert programs == {"usr/bin/homeward"}
    assert not [name for name, member in files.items() if member.mode & (stat.S_ISUID | stat.S_ISGID)]
    owners = {name: (member.uid, member.gid) for name, member in files.items() if (member.uid, member.gid) != (0, 0)}
    assert owners == {"data": (USER, USER)}
    assert {name for name, member in files.items() if not member.issym() and member.mode & 0o022} == {"tmp"}
    assert oct(files["data"].mode) == "0o700"
    # Neither the sources of the packages nor caches, logs and ids.
    unwanted = re.compile(r"(etc/(apt|machine-id|hostname|resolv\.conf)|var/(cache|log|lib/apt)|root)(/|$)")
    assert not [name for name in files if unwanted.match(name)]
    assert files["usr/share/doc/homeward/copyright"].isfile() and files["var/lib/dpkg/status.d/homeward"].isfile()
    certificates = (image.root / "etc/ssl/certs/ca-certificates.crt").read_text()
    assert certificates.count("BEGIN CERTIFICATE") > 100


def test_image_is_small(image):
    libraries, program = (layer["size"] for layer in image.manifest["layers"])
    assert libraries < LIBRARIES_BYTES and libraries + program < COMPRESSED_BYTES


def test_configuration_names_user_volume_port_and_health_check(image):
    config = image.config
    assert config["User"] == f"{USER}:{USER}"
    assert (config["Entrypoint"], config["Cmd"]) == (["/usr/bin/homeward"], ["serve"])
    assert sorted(config["Env"]) == ["HOMEWARD_DATA=/data", "HOMEWARD_LISTEN=0.0.0.0:8080"]
    assert list(config["Volumes"]) == ["/data"] and list(config["ExposedPorts"]) == ["8080/tcp"]
    assert config["Healthcheck"]["Test"] == HEALTH_CHECK
    latest, version = loaded_names(image)
    assert latest == "localhost/homeward:latest" and re.fullmatch(r"localhost/homeward:\d[\w.-]+", version)
    labels = {name.removeprefix("org.opencontainers.image."): value for name, value in config["Labels"].items()}
    assert labels["title"] == "Homeward" and labels["licenses"] == "Apache-2.0" and labels["version"]


@pytest.mark.skipif(os.environ.get("ROUNDS") is None, reason="as long as the first build: make soak")
def test_second_build_is_identical(built, tmp_path):
    package, first = built
    container.build_image(package, tmp_path / "second.tar")
    assert filecmp.cmp(first, tmp_path / "second.tar", shallow=False)


@pytest.mark.skipif(not container.can_isolate(), reason="only root can mount a container's folders")
def test_container_with_a_read_only_root_serves_and_keeps_its_data(image):
    # The test signs up as people do on a server that is set up.
    box = Container(image, HOMEWARD_REGISTRATION="open")
    try:
        assert box.health() == 1, "nothing listens yet"
        box.start()
        assert box.health() == 0
        process = Path(f"/proc/{box.process.pid}")
        status = dict(line.split(":\t") for line in (process / "status").read_text().splitlines())
        assert set(status["Uid"].split()) == set(status["Gid"].split()) == {str(USER)}
        assert int(status["CapEff"], 16) == 0 and status["NoNewPrivs"] == "1" and not status["Groups"].strip()
        mounts = {fields[4]: fields[5].split(",") for fields in map(str.split, (process / "mountinfo").open())}
        assert "ro" in mounts["/"] and "rw" in mounts["/data"]

        # A sandboxed process decodes the picture.
        parent = Household(box)
        picture = f"/pictures/{parent.picture()}?size=small"
        parent.call("GET", picture, expect=200)
        assert box.stop() == 0, box.log.read_text()
        assert box.health() == 1
        box.start()
        parent.call("GET", picture, expect=200)
        assert parent.call("GET", "/account", expect=200)["email"] == parent.email
        assert {path.stat().st_uid for path in box.volume.rglob("*")} == {USER}
    finally:
        box.close()


def loaded_names(image):
    """Returns the names that `docker load` gives the image."""
    (entry,) = json.loads((image.layout / "manifest.json").read_text())
    assert all((image.layout / path).is_file() for path in (entry["Config"], *entry["Layers"]))
    return entry["RepoTags"]


def settings_of(file):
    lines = (line for line in file.read_text().splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def test_compose_file_fits_the_image(image):
    file = CONTAINER_FILES / "compose.yaml"
    subprocess.run(["docker-compose", "-f", file, "config", "--quiet"], check=True, timeout=60)
    compose = yaml.safe_load(file.read_text())
    (service,) = compose["services"].values()
    name = loaded_names(image)[0]
    assert service["image"] == name and service["pull_policy"] == "never"
    assert service["read_only"] is True and service["tmpfs"] == [TEMPORARY_FOLDER]
    assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
    assert [volume.split(":")[1] for volume in service["volumes"]] == list(image.config["Volumes"])
    assert [f"{port.split(':')[-1]}/tcp" for port in service["ports"]] == list(image.config["ExposedPorts"])
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["healthcheck"]["test"] == HEALTH_CHECK
    settings = settings_of(CONTAINER_FILES / service["env_file"])
    assert settings["HOMEWARD_URL"].startswith("https://")
    # The proxy's requests come from the first address of the network.
    subnet = compose["networks"]["homeward"]["ipam"]["config"][0]["subnet"]
    assert subnet.replace("0/24", "1") in settings["HOMEWARD_TRUSTED_PROXIES"].split(",")


def test_quadlet_fits_the_image(image):
    # Debian 12's Podman has no Quadlet, which would read the file.
    sections = {}
    for line in (CONTAINER_FILES / "homeward.container").read_text().splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, value = line.split("=", 1)
            assert key not in section
            section[key] = value
    assert list(sections) == ["Unit", "Container", "Service", "Install"]
    unit = sections["Container"]
    assert set(unit) <= QUADLET_KEYS
    name = loaded_names(image)[0]
    assert unit["Image"] == name and unit["Pull"] == "never"
    assert unit["ReadOnly"] == unit["NoNewPrivileges"] == "true" and unit["DropCapability"] == "all"
    assert unit["Tmpfs"] == TEMPORARY_FOLDER and unit["Volume"].split(":")[1:] == list(image.config["Volumes"])
    # Podman would pass a text to a shell.
    assert json.loads(unit["HealthCmd"]) == HEALTH_CHECK
    assert unit["PublishPort"].startswith("127.0.0.1:")
    assert f"{unit['PublishPort'].split(':')[-1]}/tcp" in image.config["ExposedPorts"]
    assert sections["Install"]["WantedBy"] == "multi-user.target"
