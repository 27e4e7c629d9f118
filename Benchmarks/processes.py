"""What a process needs."""

import re
from pathlib import Path


def memory_mib(process, kind="VmRSS"):
    """Returns the resident memory of a process, or with `VmHWM` its maximum so far."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(rf"{kind}:\s+(\d+)", status).group(1)) / 1024
