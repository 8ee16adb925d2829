"""Which machine and which versions: figures mean nothing without them."""

import os
import platform
import re
import shutil
import subprocess

from . import settings


def _first_line(*command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return None
    lines = (result.stdout + result.stderr).strip().splitlines()
    return lines[0].strip() if lines else None


def _field(path, name):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith(name):
                return line.split(":", 1)[1].strip()
    return None


def _system():
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME")
    except OSError:
        return platform.system()


def describe():
    memory = _field("/proc/meminfo", "MemTotal")
    return {
        "processor": _field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_mib": int(memory.split()[0]) // 1024 if memory else None,
        "system": _system(),
        "kernel": platform.release(),
    }


def versions():
    commit = _first_line("git", "-C", str(settings.ROOT), "describe", "--always", "--dirty", "--abbrev=12")
    swift = shutil.which("swift") and _first_line("swift", "--version")
    wrk = _first_line("wrk", "--version")
    return {
        "commit": commit if commit and re.fullmatch(r"[0-9A-Za-z.-]+", commit) else None,
        "gateway": _first_line(str(settings.ROOT / ".build/release/gateway"), "--version"),
        "swift": swift,
        "postgresql": _first_line(str(settings.POSTGRES_BIN / "postgres"), "--version"),
        "openssl": _first_line("openssl", "version"),
        "wrk": wrk.split(" [")[0] if wrk else None,
    }
