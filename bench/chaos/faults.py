"""The faults: each breaks something for a while, and repairs it.

A fault's body ends once its cause is gone: the process runs, the link carries packets, the disk has room. Where the
database elects another primary, it ends once that one accepts changes with a synchronous standby.
"""

import os
import signal
import time

from . import settings
from .machines import cut, heal, until

_PATIENCE = 120


class Faults:
    def __init__(self, deployment, random):
        self.deployment, self.cluster, self.random = deployment, deployment.cluster, random
        self.detail = ""

    def all(self):
        """Every fault, by name."""
        return {
            name: getattr(self, name) for name in (
                "kill_gateway", "hang_gateway", "deploy", "clock_step", "kill_postgres", "hang_postgres", "lose_primary",
                "lose_standby", "switch", "partition", "isolate_primary", "slow_disk", "full_disk", "rotate_keys",
                "provider_outage", "hang_etcd")}

    def some(self, least, most):
        """A length of time, waited for."""
        seconds = self.random.uniform(least, most)
        time.sleep(seconds)
        return f"{seconds:.1f} s"

    def gateway(self):
        return self.random.choice(self.deployment.gateways)

    def standby(self):
        return until(_PATIENCE, lambda: self.cluster.member("synchronous"), "A synchronous standby")

    def other_primary(self, former):
        """Waits until another member accepts changes, with a synchronous standby."""
        def found():
            member = self.cluster.member("primary")
            return member and member is not former and self.cluster.is_whole()
        until(_PATIENCE, found, "Another primary with a synchronous standby")

    # Gateways

    def kill_gateway(self):
        gateway = self.gateway()
        gateway.machine.kill("gateway")
        self.detail = f"{gateway.machine.name}, down for {self.some(0.5, 4)}"
        gateway.start()
        until(_PATIENCE, gateway.is_ready, gateway.machine.name)

    def hang_gateway(self):
        gateway = self.gateway()
        gateway.process.send_signal(signal.SIGSTOP)
        self.detail = f"{gateway.machine.name}, {self.some(2, 6)}"
        gateway.process.send_signal(signal.SIGCONT)

    def deploy(self):
        """One gateway after the other stops, and starts with the other version."""
        for gateway in self.deployment.gateways:
            here = gateway.binaries == settings.BINARIES
            gateway.binaries = settings.NEIGHBOUR if here else settings.BINARIES
            gateway.restart()
            until(_PATIENCE, gateway.is_ready, gateway.machine.name)
        self.detail = "another version" if settings.NEIGHBOUR != settings.BINARIES else "the same version"

    def clock_step(self):
        gateway, seconds = self.gateway(), self.random.choice((-50, -20, 20, 50))
        gateway.step_clock(seconds)
        self.detail = f"{gateway.machine.name}, {seconds:+d} s, for {self.some(4, 8)}"
        gateway.step_clock(0)

    # PostgreSQL

    def kill_postgres(self):
        """Patroni starts it again, or another member takes over."""
        primary = self.cluster.primary()
        primary.signal(signal.SIGKILL)
        self.detail = primary.name
        time.sleep(1)
        until(_PATIENCE, self.cluster.is_whole, "A primary with a synchronous standby")

    def hang_postgres(self):
        member = self.random.choice((self.cluster.primary(), self.standby()))
        role = "primary" if member.is_a("primary") else "standby"
        processes = member.postgres()
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            self.detail = f"{member.name}, {role}, {self.some(2, 6)}"
        finally:
            member.signal(signal.SIGCONT)
        until(_PATIENCE, self.cluster.is_whole, "A primary with a synchronous standby")

    def lose_primary(self):
        primary = self.cluster.primary()
        primary.lose()
        self.other_primary(primary)
        self.detail = f"{primary.name}, then {self.cluster.primary().name}"

    def lose_standby(self):
        standby = self.standby()
        standby.lose()
        until(_PATIENCE, lambda: self.cluster.member("synchronous") not in (None, standby), "Another synchronous standby")
        self.detail = standby.name

    def switch(self):
        primary = self.cluster.primary()
        self.cluster.switch()
        self.other_primary(primary)
        self.detail = f"{primary.name} to {self.cluster.primary().name}"

    # Networks and disks

    def partition(self):
        """One link is cut: between a gateway and the primary, the primary and its standby, the primary and etcd and so on."""
        primary, gateway = self.cluster.primary(), self.gateway()
        first, second = self.random.choice((
            (gateway.machine, primary.machine), (primary.machine, self.standby().machine), (primary.machine, self.cluster.etcd),
            (self.deployment.proxy, gateway.machine), (gateway.machine, self.deployment.simulator.machine)))
        cut(first, second)
        try:
            self.detail = f"{first.name} and {second.name}, {self.some(3, 8)}"
        finally:
            heal(first, second)
        until(_PATIENCE, self.cluster.is_whole, "A primary with a synchronous standby")

    def isolate_primary(self):
        """The primary reaches nobody: it steps down, and another member takes over."""
        primary = self.cluster.primary()
        others = [self.cluster.etcd, *(member.machine for member in self.cluster.members if member is not primary),
                  *(gateway.machine for gateway in self.deployment.gateways)]
        for other in others:
            cut(primary.machine, other)
        try:
            self.other_primary(primary)
        finally:
            for other in others:
                heal(primary.machine, other)
        self.detail = f"{primary.name}, then {self.cluster.primary().name}"

    def hang_etcd(self):
        process = self.cluster.etcd.processes["etcd"]
        process.send_signal(signal.SIGSTOP)
        self.detail = self.some(3, 8)
        process.send_signal(signal.SIGCONT)
        until(_PATIENCE, self.cluster.is_whole, "A primary with a synchronous standby")

    def slow_disk(self):
        primary, seconds = self.cluster.primary(), self.random.uniform(4, 8)
        self.detail = f"{primary.name}, {seconds:.1f} s"
        primary.disk.stutter(seconds)

    def full_disk(self):
        primary = self.cluster.primary()
        primary.disk.fill()
        try:
            self.detail = f"{primary.name}, {self.some(6, 10)}"
        finally:
            primary.disk.empty()
        until(_PATIENCE, self.cluster.is_whole, "A primary with a synchronous standby")

    # Keys and providers

    def rotate_keys(self):
        status, output = self.deployment.command("keys", "rotate", "--now", "--yes")
        self.deployment.simulator.post("/control/rotate", {"provider": self.random.choice(("google", "acme", "apple"))})
        self.detail = "signing keys, and a provider's" if status == 0 else output.strip()[-120:]

    def provider_outage(self):
        mode = self.random.choice(({"mode": "error", "status": 503}, {"mode": "hang"}, {"mode": "garbled"}))
        simulator = self.deployment.simulator
        for provider in ("google", "acme", "apple"):
            simulator.post("/control/behaviour", {"provider": provider, **mode})
        self.detail = f"{mode['mode']}, {self.some(3, 8)}"
        for provider in ("google", "acme", "apple"):
            simulator.post("/control/behaviour", {"provider": provider, "mode": "normal"})

    def repair(self):
        """Brings lost members back, and waits for a whole deployment."""
        for member in self.cluster.members:
            if member.machine.processes["patroni"].poll() is not None:
                member.start()
        until(_PATIENCE, lambda: self.cluster.is_whole() and all(
            member.is_a("health") for member in self.cluster.members), "A healthy cluster")
        for gateway in self.deployment.gateways:
            until(_PATIENCE, gateway.is_ready, gateway.machine.name)
