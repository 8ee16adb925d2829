"""What is asked of every peer."""

from . import settings
from .peer import USERS
from .work import Work


class PeerWork(Work):
    """The peer stands where the gateway stands in other works."""

    def __init__(self, peer):
        super().__init__(peer, None)
        self.peer = peer
        self.lines = settings.FOLDER / f"{peer.name}.{self.name}.lines"

    def rotating(self, connections):
        """Settings of lua/refresh.lua, and a chain of tokens for each connection."""
        self.script, self.path = "refresh.lua", self.peer.refresh_path
        self.environment = {"BENCH_TYPE": self.peer.refresh_type, "BENCH_FORM": self.peer.refresh_form}
        self.write([self.peer.refresh_token(answer) for answer in self.peer.sessions(connections + 8)])

    def repeated(self, requests):
        """The same requests over and over: one path, and lines of lua/door.lua."""
        paths, lines = zip(*requests)
        self.script, self.path = "door.lua", paths[0]
        self.write(lines)


class PasswordWork(PeerWork):
    name = "password"

    def feed(self, connections, seconds):
        self.repeated([self.peer.password(number + 1) for number in range(USERS)])


class SignUpWork(PeerWork):
    name, script, first_guess = "sign_up", "door_once.lua", 200

    def feed(self, connections, seconds):
        self.path, _ = self.peer.sign_up(0)
        return self.write([self.peer.sign_up(next(self.peer.numbers))[1] for _ in range(self.needed(connections, seconds))])


class RefreshWork(PeerWork):
    name = "refresh"

    def feed(self, connections, seconds):
        if self.peer.refresh_path:
            self.rotating(connections)
        else:
            self.repeated([self.peer.token(answer) for answer in self.peer.sessions(USERS)])


class SessionWork(PeerWork):
    name = "session"

    def feed(self, connections, seconds):
        self.repeated([self.peer.session(answer) for answer in self.peer.sessions(USERS)])


def of(peer):
    """By name. What depends on no password is not measured twice."""
    kinds = [PasswordWork, SignUpWork, *([RefreshWork, SessionWork] if peer.hashes == "default" else [])]
    return {kind.name: kind(peer) for kind in kinds}
