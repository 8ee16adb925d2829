"""What a grown database takes at its upkeep, its backup and its restore, in seconds."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import time

from . import settings
from .large import ask
from .settings import progress

_URL = settings.LARGE_ADMINISTRATOR_URL
_SWEEP = (settings.ROOT / "bench/growth/sweep.sql").read_text(encoding="utf-8")
_SEEN = "select after::text from sweep_places where name = 'sessions'"


def upkeep():
    """A whole sweep of the sessions, page by page."""
    ask("update sweep_places set after = '00000000-0000-0000-0000-000000000000'")
    begun = time.monotonic()
    pages = 0
    while True:
        pages += 1
        progress(f"sweeping, page {pages}")
        ask(_SWEEP)
        if ask(_SEEN)[0] == "00000000-0000-0000-0000-000000000000":
            return {"sweeping": time.monotonic() - begun}


def _owner(*command):
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    done = subprocess.run([*prefix, *command], cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{pathlib.Path(command[0]).name} failed: {done.stderr.strip()[-500:]}")


@contextlib.contextmanager
def _timed(name, seconds):
    progress(name)
    begun = time.monotonic()
    yield
    seconds[name] = time.monotonic() - begun


def backup_and_restore():
    """A base backup and a server that starts on it; a dump, and its restore into an empty database by two jobs."""
    seconds, copy, dump = {}, settings.POSTGRES_DATA.parent / "copy", settings.POSTGRES_DATA.parent / "dump"
    program = {name: settings.POSTGRES_BIN / name for name in ("pg_basebackup", "pg_ctl", "pg_dump", "pg_restore")}
    with _timed("base backup", seconds):
        _owner(program["pg_basebackup"], "--pgdata", copy, "--checkpoint=fast", "--dbname", _URL)
    with _timed("start of the base backup", seconds):
        _owner(program["pg_ctl"], "--pgdata", copy, "--log", copy.parent / "copy.log", "--wait", "--options", "-c port=5433", "start")
    _owner(program["pg_ctl"], "--pgdata", copy, "--mode", "fast", "--wait", "stop")
    shutil.rmtree(copy)
    with _timed("dump", seconds):
        _owner(program["pg_dump"], "--format=directory", "--jobs=2", "--compress=1", "--file", dump, _URL)
    # The restored database takes the place of the measured one, which would need its room twice.
    ask_other = _URL.replace("/growth?", "/postgres?")
    for text in ("drop database growth", "create database growth"):
        subprocess.run([settings.POSTGRES_BIN / "psql", "--quiet", "--no-psqlrc", "--command", text, ask_other], check=True, stdin=subprocess.DEVNULL)
    with _timed("restore of the dump", seconds):
        _owner(program["pg_restore"], "--jobs=2", "--dbname", _URL, dump)
    shutil.rmtree(dump)
    return seconds
