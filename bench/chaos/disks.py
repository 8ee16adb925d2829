"""The disk of one PostgreSQL server: a small ext4 file system, so that it can be full, and can hang."""

import contextlib
import fcntl
import os
import pwd
import time

from . import settings
from .machines import run

_FREEZE, _THAW = 0xC0045877, 0xC0045878


class Disk:
    def __init__(self, name):
        image, self.path = settings.FOLDER / f"{name}.image", settings.FOLDER / name
        with open(image, "wb") as file:
            file.truncate(settings.DISK_MIB << 20)
        run("mkfs.ext4", "-q", "-m", "0", image)
        self.path.mkdir()
        run("mount", "-o", "loop", image, self.path)
        owner = pwd.getpwnam("postgres")
        os.chown(self.path, owner.pw_uid, owner.pw_gid)
        os.chmod(self.path, 0o700)

    def fill(self):
        """Takes all the room but a few blocks."""
        room = os.statvfs(self.path)
        with open(self.path / "filler", "wb") as file, contextlib.suppress(OSError):
            os.posix_fallocate(file.fileno(), 0, room.f_bavail * room.f_frsize - (64 << 10))

    def empty(self):
        (self.path / "filler").unlink(missing_ok=True)

    def stutter(self, seconds):
        """Holds all writes for 0.3 of each 0.35 seconds."""
        folder = os.open(self.path, os.O_RDONLY)
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                # A writer of a frozen file system cannot be killed, so the thaw must not be missed.
                try:
                    fcntl.ioctl(folder, _FREEZE, 0)
                    time.sleep(0.3)
                finally:
                    fcntl.ioctl(folder, _THAW, 0)
                time.sleep(0.05)
        finally:
            os.close(folder)
