"""A folder that can be a small file system of its own, which a test fills."""

import contextlib
import errno
import os
import subprocess

FILL_BYTES = 64 * 1024


def can_mount():
    return os.geteuid() == 0


class Disk:
    """A folder, with `megabytes` a file system in memory (tmpfs), which only root can mount."""

    def __init__(self, folder, megabytes=None):
        self.folder, self.is_mounted = folder, False
        folder.mkdir()
        if megabytes:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "homeward-test", folder], check=True)
            self.is_mounted = True

    @property
    def free_bytes(self):
        found = os.statvfs(self.folder)
        return found.f_bavail * found.f_frsize

    def fill(self):
        """Uses all free bytes. Files that a program deletes are filled by the next call."""
        assert self.is_mounted, "only a small file system can be filled"
        with open(self.folder / "filling", "ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(FILL_BYTES))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def free(self):
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "filling").unlink()

    def close(self):
        if self.is_mounted:
            # Lazily: a process that just ended may still hold a file.
            subprocess.run(["umount", "--lazy", self.folder], check=True)
            self.is_mounted = False
