"""A program's clock, moved by loading a library into it that answers for the machine's.

libfaketime (0.9.10) doesn't do: it moves the deadlines of monotonic timers (timerfd) along, also when it is told to leave
that clock alone, so that from the first step on the timers of Swift's Dispatch go off too early, and again and again, which
takes a core. It also adds to the environment while it is loaded, after which Swift finds no arguments of the program.
"""

import mmap
import shutil
import struct
import subprocess

LIBRARY = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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
"""


class ProgramClock:
    """For programs that are started with its `environment`."""

    def __init__(self, folder):
        self.library = folder / "clock.so"
        self.offset = folder / "clock-ahead"
        self.offset.write_bytes(bytes(mmap.PAGESIZE))
        # Swift brings a compiler for C along.
        subprocess.run([shutil.which("clang") or "cc", "-shared", "-fPIC", "-o", self.library, "-x", "c", "-"],
                       input=LIBRARY, text=True, check=True)
        self.seconds = 0

    @property
    def environment(self):
        return {"LD_PRELOAD": str(self.library), "CLOCK_AHEAD": str(self.offset)}

    def forward(self, seconds):
        self.seconds += seconds
        with open(self.offset, "r+b") as file, mmap.mmap(file.fileno(), 0) as page:
            page[:8] = struct.pack("@q", self.seconds)
