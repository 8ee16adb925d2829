"""Database servers for `make rehearse-sharding`: each has the whole schema and the rows of its own keys."""

import hashlib
import re
import subprocess

from . import settings

SHARDS = 3
# Besides accounts: the tables whose rows go with their account.
_OWNED = ("account_emails", "account_phones", "passwords", "passkeys", "sessions", "factors", "search_terms")
_IDENTITY_KEY = "concat_ws(' ', provider, realm, subject)"


def shard(key):
    """The server of a key: an id or a name. `_SHARD` is the same in SQL."""
    return int(hashlib.md5(key.encode()).hexdigest()[:8], 16) % SHARDS


def _shard_sql(key):
    return f"('x' || left(md5(({key})::text), 8))::bit(32)::bigint % {SHARDS}"


class Server:
    """One psql that stays connected."""

    def __init__(self, url):
        self.url = url
        self._psql = subprocess.Popen(
            [settings.POSTGRES_BIN / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--dbname", url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ask(self, text):
        """The rows as lines; an error is its message."""
        self._psql.stdin.write(f"{text}\n;\n\\echo end of answer\n")
        self._psql.stdin.flush()
        lines = []
        for line in self._psql.stdout:
            if line == "end of answer\n":
                return lines
            lines.append(line.rstrip("\n"))
        raise SystemExit(f"psql ended: {lines}")

    def run(self, text):
        """The same; an error ends the rehearsal."""
        lines = self.ask(text)
        if any("ERROR:" in line for line in lines):
            raise SystemExit(f"{text[:200]}\n" + "\n".join(lines))
        return lines

    def close(self):
        self._psql.stdin.close()
        self._psql.wait()


def comparable(lines):
    """An answer without moments and durations."""
    text = "\n".join(lines)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*\+\d\d", "moment", text)
    return re.sub(r"\d+\.\d{3,}", "number", text)


def keep_own(server, number, identities_by_key):
    """Removes what other servers have. An identity goes by its key, or with its account."""
    other = "set session_replication_role = replica; "
    other += f"delete from accounts where {_shard_sql('id')} <> {number}; "
    other += "; ".join(f"delete from {table} where {_shard_sql('account_id')} <> {number}" for table in _OWNED)
    other += f"; delete from identities where {_shard_sql(_IDENTITY_KEY if identities_by_key else 'account_id')} <> {number}; "
    server.run(other + "reset session_replication_role")


# What a work may leave behind, by table: the columns that are the same in each run.
STATE = {
    "accounts": "id, status, display_name, mfa", "account_emails": "account_id, address_key, is_main",
    "identities": "id, account_id, subject", "passkeys": "id, account_id, counter",
    "sessions": "id, account_id, identity_id, generation, refresh_digest, acr, ended_at is null",
    "flows": "id, account_id, revision, tries, code_digest", "spent": "digest", "spent_codes": "digest", "throttles": "bucket",
    "outbox": "id, account_id, state", "audit_inbox": "action, outcome, reason, account_id, identity_id, session_id, provider",
}


def state(server, table):
    return sorted(server.run(f"select concat_ws('|', {STATE[table]}) from {table}"))


def strangers(server, number):
    """Rows that stand on this server and belong to an account of another one."""
    tables = {"accounts": "id", **{table: "account_id" for table in (*_OWNED, "identities")}}
    parts = [f"select '{table} ' || {column} from {table} where {_shard_sql(column)} <> {number}" for table, column in tables.items()]
    return server.run(" union all ".join(parts))
