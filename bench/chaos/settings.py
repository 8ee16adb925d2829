"""The settings of a run, from environment variables that bench/chaos.sh sets."""

import os
import pathlib

from measure.settings import FOLDER, ROOT

SEED = int(os.environ.get("CHAOS_SEED", "1"))
OPERATIONS = int(os.environ.get("CHAOS_OPERATIONS", "50000"))
MINUTES = float(os.environ.get("CHAOS_MINUTES", "60"))
CLIENTS = int(os.environ.get("CHAOS_CLIENTS", "24"))
# The most works of a client per second; 0 for as many as it gets through.
RATE = float(os.environ.get("CHAOS_RATE", "0"))
# Some of the faults by name, separated by spaces; empty for all.
FAULTS = os.environ.get("CHAOS_FAULTS", "").split()
SABOTAGE = os.environ.get("CHAOS_SABOTAGE", "")
BINARIES = pathlib.Path(os.environ["CHAOS_BINARIES"])
# The folder of the version that a deploy alternates with.
NEIGHBOUR = pathlib.Path(os.environ.get("CHAOS_NEIGHBOUR") or BINARIES)
# Where the deployment says that it is, and the origin of passkeys.
PUBLIC_URL = "http://localhost:8080"
# The apps of devices without a browser: an own one, and one of another maker, whose users grant it access.
DEVICE_CLIENT, FOREIGN_CLIENT = "television", "radio"
# The receiver of webhooks is this process, at the first address of the router.
EVENTS_PORT = 8090
EVENTS_URL = f"http://10.77.1.1:{EVENTS_PORT}/"
EVENTS = ("account.created", "account.deleted", "session.created")
REPORT = pathlib.Path(os.environ.get("CHAOS_REPORT") or ROOT / "var/chaos")
# What the first success after the end of a fault may take.
RECOVERY_SECONDS = 5.0
# What an ended session may be accepted for.
ENDED_SECONDS = 1.0
LOGS = FOLDER / "logs"
MAILS = FOLDER / "mails"
DISK_MIB = 2048


def command():
    """The command line that repeats this run."""
    names = ("CHAOS_SEED", "CHAOS_OPERATIONS", "CHAOS_MINUTES", "CHAOS_CLIENTS", "CHAOS_RATE", "CHAOS_FAULTS", "CHAOS_SABOTAGE",
             "CHAOS_NEIGHBOUR")
    given = [f"{name}='{os.environ[name]}'" for name in names if os.environ.get(name)]
    return " ".join([*(given or [f"CHAOS_SEED={SEED}"]), "make chaos"])
