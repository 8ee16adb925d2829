"""Machines on one host: network namespaces behind a router, which is the namespace of this process."""

import os
import pwd
import signal
import subprocess
import time

from . import settings

NETWORK = "10.77.0.0/16"


def run(*command, **options):
    """Runs a program to its end, and returns its output."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(str(word) for word in command)} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


class Machine:
    """A network namespace with one address."""

    names = []

    def __init__(self, name):
        Machine.names.append(name)
        number = len(Machine.names)
        self.name, self.address = name, f"10.77.{number}.2"
        self.processes = {}
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"v{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "address", "add", f"10.77.{number}.1/30", "dev", f"v{number}")
        run("ip", "link", "set", f"v{number}", "up")
        run("ip", "-n", name, "address", "add", f"{self.address}/30", "dev", "eth0")
        for device in ("lo", "eth0"):
            run("ip", "-n", name, "link", "set", device, "up")
        run("ip", "-n", name, "route", "add", "default", "via", f"10.77.{number}.1")

    def inside(self, command, user=None):
        """The command line that runs a command on this machine."""
        words = ["nsenter", f"--net=/run/netns/{self.name}"]
        if user:
            owner = pwd.getpwnam(user)
            words += ["--setuid", str(owner.pw_uid), "--setgid", str(owner.pw_gid)]
        return [*words, *(str(word) for word in command)]

    def start(self, role, command, environment=None, user=None):
        """Starts a program in the background; its output goes to a log."""
        with open(settings.LOGS / f"{self.name}-{role}.log", "ab") as log:
            process = subprocess.Popen(
                self.inside(command, user), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                cwd=settings.FOLDER, env={**os.environ, **(environment or {})})
        self.processes[role] = process
        return process

    def kill(self, role, sent=signal.SIGKILL, patience=30):
        """Sends a signal to a program and waits for its end."""
        process = self.processes[role]
        process.send_signal(sent)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def cut(first, second):
    """Drops every packet between two machines, without a word to either."""
    for source, target in ((first, second), (second, first)):
        run("ip", "rule", "add", "from", source.address, "to", target.address, "blackhole")


def heal(first, second):
    for source, target in ((first, second), (second, first)):
        run("ip", "rule", "del", "from", source.address, "to", target.address, "blackhole")


def until(seconds, body, what):
    """Repeats the body until it returns something true, and returns that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := body():
            return found
        time.sleep(0.05)
    raise SystemExit(f"{what} was not reached within {seconds} s: the logs are in {settings.LOGS}.")
