"""The settings of the benchmark, from environment variables that bench/run.sh sets."""

import os
import pathlib
import sys

ROOT = pathlib.Path(os.environ["BENCH_ROOT"])
# Where the programs are that are measured.
BINARIES = ROOT / os.environ.get("BENCH_BINARIES", ".build/release")
FOLDER = pathlib.Path(os.environ["BENCH_FOLDER"])
POSTGRES_BIN = pathlib.Path(os.environ["BENCH_POSTGRES_BIN"])
POSTGRES_DATA = pathlib.Path(os.environ["BENCH_POSTGRES_DATA"])
ADMINISTRATOR_URL = os.environ["BENCH_ADMINISTRATOR_URL"]
# bench/paired.sh has no gateway, and none of these.
MIGRATE_URL = os.environ.get("BENCH_MIGRATE_URL")
SERVE_URL = os.environ.get("BENCH_SERVE_URL")
LARGE_ADMINISTRATOR_URL = os.environ.get("BENCH_LARGE_ADMINISTRATOR_URL")
LARGE_MIGRATE_URL = os.environ.get("BENCH_LARGE_MIGRATE_URL")
LARGE_SERVE_URL = os.environ.get("BENCH_LARGE_SERVE_URL")

SECONDS = int(os.environ.get("BENCH_SECONDS", "5"))
RUNS = int(os.environ.get("BENCH_RUNS", "3"))
CONNECTIONS = [int(number) for number in os.environ.get("BENCH_CONNECTIONS", "1 16 64").split()]
_ALL_WORKS = ("sign_in_known sign_in_new refresh session password login_page callback_known "
              "email_code_start email_code_finish totp_finish passkey_finish "
              "door_password cognito_password door_sign_in openid_code door_refresh openid_refresh cognito_refresh native_refresh "
              "openid_authorize door_account proved_account door_factors cognito_account accounts")
WORKS = os.environ.get("BENCH_WORKS", _ALL_WORKS).split()
_unknown = [name for name in WORKS if name not in _ALL_WORKS.split()]
if _unknown:
    raise SystemExit(f"BENCH_WORKS names no work: {' '.join(_unknown)}. Separated by spaces, it may name: {_ALL_WORKS}")

# Whether to tell where a request's time goes, too, by one more run with perf.
PROFILE = os.environ.get("BENCH_PROFILE", "") not in ("", "0")

# Whether bench/builds.sh counts instructions under callgrind, in place of processor time.
INSTRUCTIONS = os.environ.get("BENCH_INSTRUCTIONS", "") not in ("", "0")

# The views of the sign-in page in Chromium, for each build and round; only bench/builds.sh has them.
PAINTS = int(os.environ.get("BENCH_PAINTS", "0"))

# What stands in the database in which operators look for accounts.
ACCOUNTS = int(os.environ.get("BENCH_ACCOUNTS", "1000000"))
EVENTS = int(os.environ.get("BENCH_EVENTS", "5000000"))

# As many clients as pgbench has, and as many connections as the floors are compared at.
CLIENTS = 16
if PROFILE and CLIENTS not in CONNECTIONS:
    raise SystemExit(f"BENCH_PROFILE shares what a request takes at {CLIENTS} connections: BENCH_CONNECTIONS has to name {CLIENTS}.")
# People who are known before a known identity signs in.
PEOPLE = 500
# Flows that wait for each client of pgbench where a transaction ends one: more than it gets through.
FLOWS = 1_000 * SECONDS

# Argon2id as the gateway's standard has it (docs/configuration.md).
HASH_MEMORY_KIB = 19456
HASH_ITERATIONS = 2


def command():
    """The command line that repeats this run."""
    changed = [f"{name}={os.environ[name]!r}" for name in sorted(os.environ)
               if name in ("BENCH_SECONDS", "BENCH_RUNS", "BENCH_CONNECTIONS", "BENCH_WORKS", "BENCH_ACCOUNTS", "BENCH_EVENTS", "BENCH_NETWORKS", "BENCH_PROFILE")]
    return " ".join(changed + ["make bench"])


def progress(text):
    """One line: redrawn on a terminal, a line of its own elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def progress_done():
    """Takes the redrawn line away."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
