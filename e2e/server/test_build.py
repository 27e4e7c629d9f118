"""Building without the browser libraries that `make setup` downloads."""

import shutil
import subprocess

from support.server import ROOT

PACKAGE = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(name: "part", targets: [
    .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
    .executableTarget(name: "embed-files"),
    .target(name: "Part", exclude: ["Embedded"], plugins: ["EmbedFiles"]),
])
"""


def test_a_build_without_browser_libraries_asks_for_make_setup(tmp_path):
    for part in ("Plugins", "Sources/embed-files", "scripts/browser-parts"):
        shutil.copytree(ROOT / part, tmp_path / part)
    (tmp_path / "Package.swift").write_text(PACKAGE)
    embedded = tmp_path / "Sources" / "Part" / "Embedded"
    (embedded / "static").mkdir(parents=True)
    (embedded / "static" / "a.txt").write_text("a")
    (embedded.parent / "Part.swift").write_text("let files = Embedded.base64\n")

    def build():
        return subprocess.run(
            ["swift", "build", "--package-path", tmp_path, "--target", "Part", "--disable-sandbox"],
            capture_output=True, text=True, timeout=300, check=False)

    failed = build()
    assert failed.returncode != 0 and "Run: make setup" in failed.stdout + failed.stderr, failed
    shutil.copytree(ROOT / "Sources/WebCore/Embedded/vendor", embedded / "vendor")
    done = build()
    assert done.returncode == 0, done
    # An icon that is added later is missing until `make setup` runs again.
    with (tmp_path / "scripts/browser-parts/icons.txt").open("a") as icons:
        icons.write("no-such-icon\n")
    assert "Run: make setup" in (failed := build()).stdout + failed.stderr, failed
