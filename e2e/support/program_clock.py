"""Changes a program's clock with a preloaded library that replaces the functions of the system clock.

libfaketime (0.9.10) doesn't work: it also shifts the deadlines of monotonic timers (timerfd), even when configured to
leave that clock unchanged. After the first change the timers of Swift's Dispatch then fire too early and repeatedly,
which uses a whole core. It also adds environment variables while it is loaded, after which Swift finds no program
arguments."""

import functools
import mmap
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

LIBRARY = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long *ahead;

__attribute__((constructor)) static void begin(void) {
    void *page = mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, open(getenv("CLOCK_AHEAD"), O_RDONLY), 0);
    if (page == MAP_FAILED) abort();
    ahead = page;
}

// Only the time of day: what the program sleeps for lasts as long as ever.
int clock_gettime(clockid_t clock, struct timespec *now) {
    int failure = syscall(SYS_clock_gettime, clock, now);
    if (!failure && clock == CLOCK_REALTIME && ahead) now->tv_sec += *ahead;
    return failure;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int failure = syscall(SYS_gettimeofday, now, zone);
    if (!failure && ahead) now->tv_sec += *ahead;
    return failure;
}
"""


@functools.cache
def folder():
    return tempfile.TemporaryDirectory(prefix="homeward-program-clock-")


@functools.cache
def library():
    """Returns the path of the library, compiled on first use."""
    path = Path(folder().name) / "clock.so"
    # The Swift toolchain includes a C compiler.
    subprocess.run([shutil.which("clang") or "cc", "-shared", "-fPIC", "-o", path, "-x", "c", "-"],
                   input=LIBRARY, text=True, check=True)
    return path


class ProgramClock:
    """A clock for programs that are started with its `environment`."""

    def __init__(self, folder):
        self.library = folder / "clock.so"
        self.offset = folder / "clock-ahead"
        self.offset.write_bytes(bytes(mmap.PAGESIZE))
        # The program may run as another user, who can’t read the cached copy.
        shutil.copy(library(), self.library)
        self.seconds = 0

    @property
    def environment(self):
        return {"LD_PRELOAD": str(self.library), "CLOCK_AHEAD": str(self.offset)}

    def forward(self, seconds):
        self.seconds += seconds
        with open(self.offset, "r+b") as file, mmap.mmap(file.fileno(), 0) as page:
            page[:8] = struct.pack("@q", self.seconds)
