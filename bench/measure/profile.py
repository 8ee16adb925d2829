"""Where a request's processor time goes: perf's samples, each counted for the part of the program that it fell into.

A sample belongs to the innermost of its frames that is of one of the parts, so that what a part has the runtime, libc or
the kernel do is counted for that part.
"""

import collections
import contextlib
import re
import subprocess

from . import settings

_DATA = settings.FOLDER / "perf.data"

# A part, and what the libraries and the mangled names of its functions begin with ("$s" is Swift's, then comes a module).
_PARTS = [
    ("OpenSSL", ("libcrypto", "libssl")),
    ("statement", ("libpq", "$s8Postgres")),
    ("HTTP library", ("$s7NIOCore", "$s8NIOPosix", "$s8NIOHTTP1", "$s12NIOHTTPTypes", "$s17NIOHTTPTypesHTTP1", "c_nio_",
                      "$s11Hummingbird", "$s15HummingbirdCore")),
    ("JSON", ("$s4JSON", "$sSS4JSON")),
    ("log and metrics", ("$s9Telemetry", "$s10HTTPServer9AccessLog", "$s10HTTPServer12RouteMetrics", "$s7Metrics",
                         "$s11CoreMetrics", "$s7Logging")),
    ("cryptography around OpenSSL", ("$s12Cryptography",)),
    ("provider's adapter", ("$s9Providers",)),
    ("services", ("$s8Sessions", "$s8Accounts", "$s6SignIn", "$s13Authorization", "$s7Clients", "$s10Vocabulary")),
    ("doors and shell", ("$s10HTTPServer", "$s4REST", "$s3Web", "$s5Pages", "$s7Console", "$s9AdminHTTP", "$s7Cognito",
                         "$s10NativeAuth", "$s6OpenID", "$s7Gateway")),
]
_BEGINNINGS = [(beginning, part) for part, beginnings in _PARTS for beginning in beginnings]


@contextlib.contextmanager
def recording(pid):
    """Has perf sample a process meanwhile."""
    perf = subprocess.Popen(
        ["perf", "record", "--quiet", "--event", "cpu-clock", "--freq", "1999", "-g", "--pid", str(pid), "--output", _DATA],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        yield
    finally:
        perf.terminate()
        _, words = perf.communicate()
    if not _DATA.exists():
        raise SystemExit(f"perf recorded nothing: {words.strip()}")


def _part(thread, frames):
    for symbol, library in frames:
        for beginning, part in _BEGINNINGS:
            if symbol.startswith(beginning) or library.startswith(beginning):
                return part
    if thread.startswith("pg-"):
        return "statement"
    # Of an event loop: what the kernel does by itself, and where OpenSSL or libc left no frame to go by.
    return "not told apart" if thread.startswith("NIO") else "other threads"


def _samples():
    """The thread of each sample, and its frames, the innermost first: a symbol and the name of its library each."""
    script = subprocess.run(
        ["perf", "script", "--input", _DATA, "--no-demangle", "--fields", "comm,ip,sym,dso"],
        capture_output=True, text=True, errors="replace", check=True).stdout
    for block in script.split("\n\n"):
        thread, *lines = block.strip("\n").split("\n")
        found = (re.fullmatch(r"\s*[0-9a-f]+ (.*) \((?:.*/)?(.*)\)", line) for line in lines)
        if frames := [(match[1], match[2]) for match in found if match]:
            yield thread.strip(), frames


def shares():
    """Of the last recording: each part's share, what ran in the kernel for it apart."""
    counts = collections.Counter(
        (_part(thread, frames), "kernel" if "kernel" in frames[0][1] else "program") for thread, frames in _samples())
    total = sum(counts.values())
    if total == 0:
        raise SystemExit("perf saw the gateway do nothing.")
    parts = {}
    for (part, side), count in counts.items():
        parts.setdefault(part, {"program": 0, "kernel": 0})[side] = round(count / total, 4)
    return parts
