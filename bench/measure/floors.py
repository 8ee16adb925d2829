"""What each work must reach. A figure from a run with failed requests reaches nothing."""

import os
import statistics

from . import settings, works

# A bare answer is measured with these works: its processor time is their unit.
BESIDE_BARE = ["sign_in_known", "refresh", "session"]
OF_BARE = {"session": 0.5, "login_page": 0.4, "openid_authorize": 0.4}
_KINDS = {kind.name: kind for kind in works.ALL}
_RATIO = {"sign_in_known": 0.4, "sign_in_new": 0.35, "refresh": 0.5}
_STATEMENTS = {
    "sign_in_known": 1, "sign_in_new": 1, "refresh": 1, "session": 0, "login_page": 0, "callback_known": 1,
    "email_code_start": 2, "email_code_finish": 2, "totp_finish": 2, "passkey_finish": 2,
}


def _signing_us(kind, limits):
    """What a request's RS256 signatures take: `/v1` signs with ES256."""
    return kind.signatures and kind.signatures * 1_000_000 / limits[f"RS256 signatures beside {kind.name}"]


def judge(results):
    """The floors of the works that were measured."""
    found = []
    measured, limits = results["works"], results["limits"]

    def floor(work, what, value, sense, bound, counts=True):
        if value is not None:
            reached = None if bound is None else counts and (value >= bound if sense == "≥" else value <= bound)
            found.append({"work": work, "what": what, "value": round(value, 3), "sense": sense, "floor": bound, "reached": reached})

    def at(work, connections):
        return measured.get(work, {}).get(str(connections))

    for work in measured:
        figures = at(work, settings.CLIENTS)
        if figures is None:
            continue
        counts = figures["failures"] == 0
        if work in _RATIO and limits.get(f"pgbench {work}"):
            floor(work, "of pgbench", figures["per_second"] / limits[f"pgbench {work}"], "≥", _RATIO[work], counts)
        if "same_cpu_us" in figures:
            kind = _KINDS[work]
            signing = _signing_us(kind, limits)
            value = statistics.median((run["gateway_cpu_us"] - signing) / run["same_cpu_us"] for run in figures["runs"])
            less = f" less {signing:.0f} for {kind.signatures} RS256" if signing else ""
            floor(work, f"gateway µs{less}, of {' + '.join(kind.same)}", value, "≤", kind.most, counts)
        if work in OF_BARE and (bare := limits.get(f"bare answer, {settings.CLIENTS} beside {work}")):
            floor(work, "of the bare answer", figures["per_second"] / bare, "≥", OF_BARE[work], counts)
        if work in _STATEMENTS:
            # The gateway's housekeeping runs at the same time: a twentieth is tolerated.
            floor(work, "statements", figures["statements"], "≤", _STATEMENTS[work] + 0.05, counts)
    if (figures := at("sign_in_known", 64)) is not None:
        floor("sign_in_known", "p99 ms at 64", figures["p99_us"] / 1000, "≤", 50, figures["failures"] == 0)
    if (figures := at("password", settings.CLIENTS)) is not None:
        floor("password", "of the hash alone", figures["per_second"] / limits["Argon2id"], "≥", 0.9, figures["failures"] == 0)
    if beside := results.get("beside"):
        failures = sum(figures["failures"] for figures in beside.values())
        floor("refresh", "p99 ms beside passwords", beside["refresh"]["p99_us"] / 1000, "≤", 100, failures == 0)
    hashing = len(os.sched_getaffinity(0)) * settings.HASH_MEMORY_KIB / 1024
    floor("gateway", "MiB idle", results["memory"]["idle_mib"], "≤", 45)
    floor("gateway", "MiB loaded", results["memory"]["loaded_mib"], "≤", round(120 + hashing))
    floor("gateway", "ms to ready", results["start_ms"], "≤", 150)
    return found
