"""Programs that are measured: started and stopped here, and what the kernel counts of them."""

import contextlib
import http.client
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.request

from . import settings

_TICK = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _stat(pid):
    """The fields of /proc/<pid>/stat after the name, which may hold anything."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return text[text.rindex(")") + 2:].split()


def cpu_us(pid):
    """User and system time so far, in microseconds (resolution: one clock tick, 10 ms)."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) * 1_000_000 // _TICK


def tree(pid):
    """The process and everything below it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry)] = int(_stat(entry)[1])
    found = [pid]
    for parent in found:
        found += [child for child, own in parents.items() if own == parent]
    return found


def tree_cpu_us(pid):
    """The same of a process, everything below it, and the children that they have seen end."""
    total = 0
    for member in tree(pid):
        with contextlib.suppress(OSError):
            total += sum(int(field) for field in _stat(member)[11:15])
    return total * 1_000_000 // _TICK


def tree_memory_mib(pid):
    """Resident memory of a process and everything below it: the sum, and the sum with shared pages counted once (PSS)."""
    sums = {"Rss": 0, "Pss": 0}
    for member in tree(pid):
        with contextlib.suppress(OSError):
            for line in pathlib.Path(f"/proc/{member}/smaps_rollup").read_text(encoding="utf-8").splitlines():
                name, _, value = line.partition(":")
                if name in sums:
                    sums[name] += int(value.split()[0])
    return sums["Rss"] / 1024, sums["Pss"] / 1024


def memory_kib(pid):
    """Resident memory now and at most so far."""
    values = {}
    for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name in ("VmRSS", "VmHWM"):
            values[name] = int(value.split()[0])
    return values["VmRSS"], values["VmHWM"]


def postgres_cpu_us():
    """Of the whole cluster: the postmaster, its children that live, and those that it has seen end."""
    postmaster = int((settings.POSTGRES_DATA / "postmaster.pid").read_text(encoding="utf-8").split()[0])
    fields = _stat(postmaster)
    total = sum(int(fields[index]) for index in (11, 12, 13, 14))
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                fields = _stat(entry)
                if int(fields[1]) == postmaster:
                    total += int(fields[11]) + int(fields[12])
    return total * 1_000_000 // _TICK


class Visitor:
    """A connection that is kept, and opened anew where the program closed it, as it does after half a minute without a request."""

    def __init__(self, port):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, method, path, body=None, headers=None):
        """The head and the content of an answer."""
        for is_last in (False, True):
            try:
                self._connection.request(method, path, body, headers or {})
                answer = self._connection.getresponse()
                return answer, answer.read()
            except ConnectionError:
                self._connection.close()
                if is_last:
                    raise

    def close(self):
        self._connection.close()


class Program:
    """A program in the background, with its output in a file."""

    def __init__(self, name, command, environment=None):
        self.name = name
        self.log = settings.FOLDER / f"{name}.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=settings.FOLDER,
                env={**os.environ, **(environment or {})})
        self.pid = self.process.pid

    def wait_for(self, port, path, seconds=30):
        """Until it answers 200 there. Asks every millisecond, so that the moment is known."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            if _answers(port, path):
                return
            time.sleep(0.001)
        raise SystemExit(f"{self.name} did not start; {self.log} ends with:\n{self._end_of_log()}")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def _end_of_log(self):
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-10:])


def _answers(port, path):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return connection.recv(64).startswith(b"HTTP/1.1 200")
    return False


def fetch(port, path):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return answer.read()
