"""Lowers the cost of passwords with a preloaded library. Each test creates accounts and signs in, and the hashes would
take a quarter of the processor time of all tests. `ScryptTests` test the server's own cost."""

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef int scrypt(const uint8_t *, size_t, const uint8_t *, size_t, uint64_t, uint32_t, uint32_t, uint8_t *, size_t);

int crypto_pwhash_scryptsalsa208sha256_ll(
    const uint8_t *password, size_t password_bytes, const uint8_t *salt, size_t salt_bytes, uint64_t cost,
    uint32_t block_size, uint32_t parallelism, uint8_t *key, size_t key_bytes
) {
    scrypt *derive = (scrypt *)dlsym(RTLD_NEXT, "crypto_pwhash_scryptsalsa208sha256_ll");
    return derive(password, password_bytes, salt, salt_bytes, 16, block_size, parallelism, key, key_bytes);
}
"""


@functools.cache
def folder():
    return tempfile.TemporaryDirectory(prefix="homeward-password-cost-")


@functools.cache
def library():
    """Returns the path of the library, compiled on first use."""
    path = Path(folder().name) / "password-cost.so"
    # The Swift toolchain includes a C compiler.
    subprocess.run([shutil.which("clang") or "cc", "-shared", "-fPIC", "-o", path, "-x", "c", "-"],
                   input=LIBRARY, text=True, check=True)
    return path
