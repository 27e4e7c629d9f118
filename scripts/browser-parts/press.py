"""press.py EMBEDDED: compresses the static text files once, so that the server doesn't have to.

A compressed file is named by the first 16 hex digits of the SHA-256 of its original, so that one of an older version
can never be served: EMBEDDED/vendor/gzip/HASH.gz. The time in the gzip header is fixed, so that builds are
reproducible.
"""

import gzip
import hashlib
import pathlib
import sys

embedded = pathlib.Path(sys.argv[1])
twins = embedded / "vendor/gzip"
twins.mkdir(parents=True, exist_ok=True)
WORTH_IT_BYTES = 1_000
PRESSED = {".css", ".js", ".json", ".svg", ".txt"}
contents = {}
for file in sorted([*(embedded / "static").rglob("*"), *(embedded / "vendor").glob("*.*")]):
    # The server joins and compresses our own styles and scripts when it starts.
    is_below = file.parent != embedded / "static" and embedded / "static" in file.parents
    is_ours = is_below and file.suffix in {".css", ".js"}
    if file.is_file() and file.suffix in PRESSED and not is_ours:
        contents[file] = file.read_bytes()
wanted = set()
for plain in contents.values():
    if len(plain) < WORTH_IT_BYTES:
        continue
    twin = twins / f"{hashlib.sha256(plain).hexdigest()[:16]}.gz"
    wanted.add(twin)
    if not twin.exists():
        twin.write_bytes(gzip.compress(plain, compresslevel=9, mtime=0))
for stale in set(twins.iterdir()) - wanted:
    stale.unlink()
