"""The gateway, as it is shipped: release build, the settings of .env.example save for ports, database and throttles."""

import concurrent.futures
import json
import os
import re
import subprocess
import threading
import time

from . import settings
from .processes import Program, Visitor, cpu_us, fetch, free_port, memory_kib


def _endpoints(file, at):
    """The providers' endpoints of the settings, at this simulator: the last part of each path is the provider's name."""
    lines = file.read_text().splitlines()
    pairs = (line.split("=", 1) for line in lines if re.match("[A-Z_]+_ENDPOINT=", line))
    return {key: f"{at}/{value.rsplit('/', 1)[1]}" for key, value in pairs}


class Gateway:
    name = "gateway"

    def __init__(self, simulator, serve_url=settings.SERVE_URL, migrate_url=settings.MIGRATE_URL, binaries=settings.BINARIES,
                 changes=None, owner_url=settings.ADMINISTRATOR_URL, file="gateway.env"):
        self.file = settings.FOLDER / file
        self.migrate_url, self.owner_url = migrate_url, owner_url
        self._binary = binaries / "gateway"
        self.port, self.operations_port = free_port(), free_port()
        self.mails = settings.FOLDER / "mails"
        key = settings.FOLDER / "apple-development-key.pem"
        key.touch(mode=0o600)
        key.write_bytes(fetch(simulator.port, "/control/apple-private-key"))
        at = f"http://127.0.0.1:{simulator.port}"
        self.environment = {
            "DATABASE_URL": serve_url, "PORT": str(self.port), "OPS_PORT": str(self.operations_port),
            "PUBLIC_URL": f"http://localhost:{self.port}", "APPLE_PRIVATE_KEY_FILE": str(key),
            **_endpoints(self.file, at),
            "MAIL_DIRECTORY": str(self.mails), "TRUSTED_PROXIES": "127.0.0.1",
            # One address sends nearly everything here: it is not what is measured. A thousand a second are let through for ever.
            "THROTTLE_ACCOUNT_BURST": "1000000", "THROTTLE_ACCOUNT_PER_HOUR": "3600000",
            "THROTTLE_ADDRESS_BURST": "1000000", "THROTTLE_ADDRESS_PER_MINUTE": "60000",
            "OPERATOR_READS_PER_MINUTE": "60000",
            "THROTTLE_CLIENT_PER_MINUTE": "60000", "THROTTLE_WRONG_ADDRESS_PER_HOUR": "3600000",
            "THROTTLE_LINK_ADDRESS_PER_HOUR": "3600000", "THROTTLE_MAIL_ADDRESS_PER_HOUR": "3600000",
            "THROTTLE_MAIL_CLIENT_PER_HOUR": "3600000", "THROTTLE_REFRESH_PER_HOUR": "3600000", **(changes or {}),
        }
        self.program = None
        self._browser = Visitor(self.port)

    @property
    def pid(self):
        return self.program.pid

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def migrate(self):
        self.run("migrate", DATABASE_URL=self.migrate_url)

    def run(self, *command, **changes):
        """Runs one of the gateway's commands to its end; answers what it printed."""
        result = subprocess.run(
            [self._binary, *command, "--env-file", self.file], capture_output=True, text=True, check=False,
            cwd=settings.FOLDER, env=self._whole_environment(**changes))
        if result.returncode != 0:
            raise SystemExit(f"gateway {' '.join(command)} failed:\n{result.stdout}{result.stderr}")
        return result.stdout.strip()

    def add_client(self, name, *options):
        """Answers the last word that the command printed, which is a new secret, once this gateway knows the client."""
        printed = self.run("clients", "create", name, *options)
        for _ in range(200):
            if self._browser.ask("GET", f"/login?client_id={name}")[0].status == 200:
                return printed.split()[-1]
            time.sleep(0.1)
        raise SystemExit(f"The gateway did not learn of the client {name}.")

    def start(self):
        """Answers the milliseconds from its start until it is ready."""
        begun = time.monotonic()
        self.program = Program(self.name, self.command(), self.environment)
        self.program.wait_for(self.operations_port, "/health/ready")
        return (time.monotonic() - begun) * 1000

    def command(self):
        return [self._binary, "serve", "--env-file", self.file]

    def stop(self):
        if self.program:
            self.program.stop()

    def cpu_us(self):
        """Its processor time so far."""
        return cpu_us(self.pid)

    def memory_mib(self):
        """Resident memory now and at most so far."""
        return [value / 1024 for value in memory_kib(self.pid)]

    def metric(self, series):
        """The value of one series at the operators' port."""
        for line in fetch(self.operations_port, "/metrics").decode().splitlines():
            name, _, value = line.rpartition(" ")
            if name == series:
                return float(value)
        raise SystemExit(f"The metrics do not have {series}.")

    def sign_in(self, bodies):
        """Signs in with each body; answers the sessions."""
        return [answer["session"] for answer in self.post_all("/v1/sign-in", [(body, {}) for body in bodies])]

    def post_all(self, path, requests):
        """Posts bodies with their headers, some at a time; answers what came back, in the same order."""
        posts = [(path, body, {"Content-Type": "application/json", **headers}) for body, headers in requests]
        return [json.loads(text) for _, text in self.ask_all("POST", posts, (200, 201))]

    def ask_all(self, method, requests, expected):
        """Sends requests, each a path, a body and headers, some at a time; answers heads and contents, in the same order."""
        own = threading.local()

        def ask(request):
            if not hasattr(own, "visitor"):
                own.visitor = Visitor(self.port)
            answer, text = own.visitor.ask(method, *request)
            if answer.status not in expected:
                raise SystemExit(f"{request[0]} refused: {answer.status} {text.decode(errors='replace')}")
            return answer.headers, text

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            return list(pool.map(ask, requests))

    def enrol(self, session, kind, prove):
        """Gives the session's account a factor; `prove` answers the step that the gateway puts."""
        headers = {"Authorization": f"Bearer {session['access_token']}"}
        [begun] = self.post_all("/v1/account/factors", [(json.dumps({"type": kind}), headers)])
        answer = {"flow": begun["flow"], "response": {**prove(begun["next_step"]), "name": "first"}}
        self.post_all("/v1/account/factors/confirm", [(json.dumps(answer), headers)])

    def look_at(self, sessions):
        """Asks once for each session, as an app does at its start."""
        visitor = Visitor(self.port)
        for session in sessions:
            answer, _ = visitor.ask("GET", "/v1/session", headers={"Authorization": f"Bearer {session['access_token']}"})
            if answer.status != 200:
                raise SystemExit(f"A session was refused: {answer.status}")
        visitor.close()

    def begin(self, provider):
        """Sends a new browser to a provider: the address there, and the cookies that it was given."""
        answer, _ = self._browser.ask("GET", f"/login/{provider}?client_id=app")
        if answer.status != 303:
            raise SystemExit(f"No redirect to {provider}: {answer.status}")
        cookies = [value.split(";")[0] for name, value in answer.getheaders() if name == "Set-Cookie"]
        return answer.headers["Location"], "; ".join(cookies)

    def come_back(self, path, cookies):
        """Brings a browser back from a provider; answers the cookie of its session."""
        answer, _ = self._browser.ask("GET", path, headers={"Cookie": cookies})
        cookies = [value.split(";")[0] for value in answer.headers.get_all("Set-Cookie", [])]
        session = [cookie for cookie in cookies if cookie.startswith("__Host-session=")]
        if answer.status != 303 or not session:
            raise SystemExit(f"A browser's sign-in was refused: {answer.status}")
        return session[0]

    def _whole_environment(self, **changes):
        return {**os.environ, **self.environment, **changes}
