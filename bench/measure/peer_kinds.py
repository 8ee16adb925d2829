"""The peers of `make bench-peers`: how each is set up, and what is asked of it."""

import gzip
import json
import os
import pathlib
import shutil
import subprocess
import urllib.parse

from . import settings
from .database import sql
from .peer import APPS, FORM, HOST, JSON, PASSWORD, Peer, run

_CORES = len(os.sched_getaffinity(0))


def _key(*kind):
    return run("openssl", "genpkey", "-algorithm", *kind)


def _bearer(token):
    return f"Authorization=Bearer {token}\t"


class Allauth(Peer):
    title = "django-allauth"
    packages = ("django-allauth[headless]", "django", "gunicorn", "psycopg[binary]", "argon2-cffi")
    costs = {"default": "PBKDF2-SHA256, Django's iterations", "comparable": "Argon2id 19 MiB, 2"}
    server = f"gunicorn, {_CORES} workers"
    notes = "`refresh` rotates an RS256 token pair"
    ready = "/_allauth/app/v1/config"
    refresh_path = "/_allauth/app/v1/tokens/refresh"

    def prepare(self):
        key = _key("RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        self.environment |= {"DJANGO_SETTINGS_MODULE": "allauth_site", "PEER_KEY": key}
        run(self.program_in("python"), "-m", "django", "migrate", **self.environment)

    def command(self):
        return [self.program_in("gunicorn"), "--workers", str(_CORES), "--bind", f"127.0.0.1:{self.port}",
                "django.core.wsgi:get_wsgi_application()"]

    def _body(self, number):
        return f"{JSON}\t{json.dumps({'email': f'peer{number}@example.com', 'password': PASSWORD})}"

    def sign_up(self, number):
        return "/_allauth/app/v1/auth/signup", self._body(number)

    def password(self, number):
        return "/_allauth/app/v1/auth/login", self._body(number)

    def session(self, answer):
        return "/_allauth/app/v1/auth/session", _bearer(answer["meta"]["access_token"])

    def refresh_token(self, answer):
        return answer["meta"]["refresh_token"]


class BetterAuth(Peer):
    title = "better-auth-server"
    packages = ("better-auth-server[fastapi,sqlalchemy]", "uvicorn[standard]", "asyncpg", "argon2-cffi")
    costs = {"default": "scrypt 32 MiB (N=16384, r=16)", "comparable": "Argon2id 19 MiB, 2 (replaced)"}
    server = f"uvicorn, {_CORES} workers"
    notes = "`refresh` issues an EdDSA token (`/token`), since nothing rotates"
    ready = "/api/auth/ok"

    def prepare(self):
        run(self.program_in("python"), APPS / "better_auth_app.py", "create-tables", **self.environment)

    def command(self):
        return [self.program_in("uvicorn"), "better_auth_app:app", "--workers", str(_CORES), "--port", str(self.port)]

    def _body(self, number, **more):
        return f"{JSON}\t{json.dumps({'email': f'peer{number}@example.com', 'password': PASSWORD, **more})}"

    def sign_up(self, number):
        return "/api/auth/sign-up/email", self._body(number, name="Ann Example")

    def password(self, number):
        return "/api/auth/sign-in/email", self._body(number)

    def session(self, answer):
        return "/api/auth/get-session", _bearer(answer["token"])

    def token(self, answer):
        return "/api/auth/token", _bearer(answer["token"])


class Synapse(Peer):
    title = "Synapse"
    packages = ("matrix-synapse[postgres]",)
    costs = {"default": "bcrypt, 12 rounds", "comparable": "bcrypt, 8 rounds"}
    server = "one process, without workers"
    notes = "no Argon2id: 8 rounds are the nearest in time; `refresh` rotates opaque tokens"
    ready = "/health"
    refresh_path = "/_matrix/client/v3/refresh"

    def prepare(self):
        config = self.folder / "homeserver.yaml"
        run(self.program_in("python"), "-m", "synapse.app.homeserver", "--generate-config", "--server-name", "localhost",
            "--report-stats", "no", "--config-path", config, "--config-directory", self.folder, "--data-directory", self.folder)
        plenty = {"per_second": 1_000_000, "burst_count": 1_000_000}
        changes = {
            "listeners": [{
                "port": self.port, "bind_addresses": ["127.0.0.1"], "type": "http", "resources": [{"names": ["client"]}]}],
            "database": {"name": "psycopg2", "args": {
                "user": "peer", "dbname": self.database, "host": HOST, "cp_min": 5, "cp_max": 10}},
            "bcrypt_rounds": 12 if self.hashes == "default" else 8,
            "enable_registration": True, "enable_registration_without_verification": True,
            "refreshable_access_token_lifetime": "1h", "rc_registration": plenty,
            "rc_login": {"address": plenty, "account": plenty, "failed_attempts": plenty},
            "trusted_key_servers": [],
        }
        # JSON is YAML, too.
        (self.folder / "peer.yaml").write_text(json.dumps(changes), encoding="utf-8")

    def command(self):
        return [self.program_in("python"), "-m", "synapse.app.homeserver", "--config-path", self.folder / "homeserver.yaml",
                "--config-path", self.folder / "peer.yaml"]

    def sign_up(self, number):
        body = {"username": f"peer{number}", "password": PASSWORD, "auth": {"type": "m.login.dummy"}, "refresh_token": True}
        return "/_matrix/client/v3/register", f"{JSON}\t{json.dumps(body)}"

    def password(self, number):
        body = {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": f"peer{number}"},
                "password": PASSWORD, "refresh_token": True}
        return "/_matrix/client/v3/login", f"{JSON}\t{json.dumps(body)}"

    def session(self, answer):
        return "/_matrix/client/v3/account/whoami", _bearer(answer["access_token"])


class Glewlwyd(Peer):
    title = "Glewlwyd"
    costs = {"default": "bcrypt, 6 rounds, in PostgreSQL", "comparable": "bcrypt, 8 rounds (replaced)"}
    server = "one process, a thread for each connection"
    notes = ("password sign-in is the grant `password`; an administrator's call is its sign-up, without a session, and users "
             "made at once may lose password and scope although it answers 200")
    ready = "/config"
    refresh_path, refresh_type = "/api/oidc/token", FORM
    refresh_form = "grant_type=refresh_token&refresh_token=%s"
    _modules = {"user": "user", "client": "client", "user_auth_scheme": "scheme", "plugin": "plugin"}

    @classmethod
    def install(cls):
        if not shutil.which("glewlwyd"):
            raise SystemExit("it is not installed, and its package needs root: apt-get install glewlwyd dbconfig-no-thanks")

    @classmethod
    def versions(cls):
        return "Glewlwyd " + run("dpkg-query", "--show", "--showformat", "${Version}", "glewlwyd")

    def prepare(self):
        sql("create extension pgcrypto", self.url_of_database())
        if self.hashes == "comparable":
            # There is no setting of the rounds: what Glewlwyd calls is replaced.
            sql("alter extension pgcrypto drop function gen_salt(text); create or replace function gen_salt(text) returns text "
                "language sql as 'select gen_salt($1, 8)'", self.url_of_database())
        tables = gzip.decompress(pathlib.Path("/usr/share/doc/glewlwyd/database/init.postgre.sql.gz").read_bytes()).decode()
        # An administrator's session ends after ten minutes otherwise.
        lasting = "update g_scope set gs_password_max_age = 0 where gs_name = 'g_admin';"
        sql(f"set client_min_messages = error; set role peer;\n{tables}\n{lasting}", self.url_of_database())
        lines = [
            f"port={self.port}", f'external_url="http://localhost:{self.port}/"', 'login_url="login.html"', 'api_prefix="api"',
            'log_mode="file"', 'log_level="INFO"', f'log_file="{self.folder}/log"', "cookie_secure=0", 'hash_algorithm="SHA512"',
            'session_key="GLEWLWYD2_SESSION_ID"', "login_api_enabled=true", 'admin_scope="g_admin"', 'profile_scope="g_profile"',
            *[f'{name}_module_path="/usr/lib/glewlwyd/{folder}"' for name, folder in self._modules.items()],
            f'database={{ type="postgre" conninfo="host={HOST} dbname={self.database} user=peer" }};',
        ]
        (self.folder / "glewlwyd.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def command(self):
        return ["glewlwyd", "--config-file", self.folder / "glewlwyd.conf"]

    def make_users(self):
        answer, _ = self.ask("POST", "/api/auth/", JSON, json.dumps({"username": "admin", "password": "password"}))
        self.cookie = "Cookie=" + answer.headers["Set-Cookie"].split(";")[0]
        self._add("/api/scope/", {
            "name": "app", "display_name": "app", "password_required": True, "password_max_age": 0, "scheme": {}})
        key = _key("EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        public = subprocess.run(
            ["openssl", "pkey", "-pubout"], input=key, capture_output=True, text=True, check=True).stdout
        kinds = ("code", "token", "id-token", "none", "client", "device")
        self._add("/api/mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "oidc", "enabled": True, "parameters": {
            "iss": f"http://localhost:{self.port}", "jwt-type": "ecdsa", "jwt-key-size": "256", "key": key, "cert": public,
            "access-token-duration": 3600, "refresh-token-duration": 1209600, "code-duration": 600, "refresh-token-rolling": False,
            "refresh-token-one-use": "always", "allow-non-oidc": True, "auth-type-password-enabled": True,
            "auth-type-refresh-enabled": True, **{f"auth-type-{kind}-enabled": False for kind in kinds},
            "subject-type": "public", "scope": [],
        }})
        super().make_users()

    def _add(self, path, body):
        self.ask("POST", path, f"{JSON};{self.cookie}", json.dumps(body))

    def sign_up(self, number):
        body = {"username": f"peer{number}", "password": PASSWORD, "enabled": True, "scope": ["app"]}
        return "/api/user/", f"{JSON};{self.cookie}\t{json.dumps(body)}"

    def password(self, number):
        body = {"grant_type": "password", "scope": "app", "username": f"peer{number}", "password": PASSWORD}
        return "/api/oidc/token", f"Content-Type={FORM}\t{urllib.parse.urlencode(body)}"

    def session(self, answer):
        return "/api/oidc/userinfo", _bearer(answer["access_token"])


ALL = [Allauth, BetterAuth, Synapse, Glewlwyd]
