"""The database: psql, pgbench on the copies of the gateway's statements, and what PostgreSQL counted of the real ones."""

import json
import re
import subprocess

from . import settings

_FOLDER = settings.ROOT / "bench/sql"
_COUNTED = """
    select coalesce(jsonb_agg(jsonb_build_array(query, calls)), '[]') from pg_stat_statements join pg_roles on pg_roles.oid = userid
    where rolname = 'gateway_serve' and toplevel
"""


def sql(text, url=settings.ADMINISTRATOR_URL, **variables):
    """Runs SQL with psql and answers the first column of its rows."""
    arguments = [f"--set={name}={value}" for name, value in variables.items()]
    result = subprocess.run(
        [settings.POSTGRES_BIN / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator=\x1f",
         "--set=ON_ERROR_STOP=1", *arguments, "--dbname", url],
        input=text, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"psql failed: {result.stderr.strip()}")
    return [line.split("\x1f")[0] for line in result.stdout.splitlines() if line]


def make_accounts(hashes, url=settings.ADMINISTRATOR_URL):
    """Accounts with a proved mailbox and a password, as an operator makes them; `hashes` by address."""
    sql("\n".join(
        f"""select create_account(md5('{address}')::uuid,
                jsonb_build_object('email', '{address}', 'email_key', '{address}', 'password', jsonb_build_object('hash', '{hashed}')),
                array['{address}'], 'usable', null, 'operator', null, 'bench');"""
        for address, hashed in hashes.items()), url)


def _shape(text):
    """A statement without its values: pg_stat_statements shows constants as parameters."""
    return " ".join(re.sub(r"'[^']*'|\$\d+|\b\d+\b|\b(?:null|true|false)\b", "?", text).rstrip("; \n").split())


def statements():
    """How often the gateway's role has run what so far, by shape."""
    calls = {}
    for text, count in json.loads(sql(_COUNTED)[0]):
        calls[_shape(text)] = calls.get(_shape(text), 0) + count
    return calls


def script(path):
    """A file like those of bench/sql as a script for pgbench."""
    return _read(path)[0]


def _copy(work):
    """A file of bench/sql as a script for pgbench, and the shapes of the statements in it."""
    return _read(_FOLDER / f"{work}.sql")


def _read(path):
    script, shapes, statement, values = [], [], [], {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if parameter := re.fullmatch(r"-- \$(\d+) (.+)", line):
            values[parameter[1]] = parameter[2]
        elif line.startswith("\\"):
            script.append(line)
        else:
            statement.append(line)
            if line.endswith((";", "\\gset")):
                text = "\n".join(statement)
                shapes.append(_shape(text))
                script.append(re.sub(r"\$(\d+)", lambda found: values[found[1]], text))
                statement, values = [], {}
    return "\n".join(script) + "\n", shapes


def check_copy(work, shares):
    """Ends the benchmark where the copies are not what the gateway runs; `shares` says how often a request ran what."""
    copied, real = set(_copy(work)[1]), {shape for shape, share in shares.items() if share > 0.5}
    if copied != real:
        lines = [f"only the copy: {shape}" for shape in copied - real] + [f"only the gateway: {shape}" for shape in real - copied]
        raise SystemExit("\n".join([
            f"bench/sql/{work}.sql differs from what the gateway runs:", *lines,
            "BENCH_SQL=write make test FILTER=BenchStatementTests writes the statements of the gateway into these files."]))


_base = 1_000_000_000_000_000


def prepare(work, **variables):
    """What is there before a run of the work's SQL."""
    sql((_FOLDER / f"{work}.setup.sql").read_text(encoding="utf-8"), people=settings.PEOPLE, **variables)


def pgbench(work):
    """Transactions a second of the work's SQL at 16 clients. Checks that each transaction did its work."""
    global _base
    _base += 1_000_000_000_000_000
    prepare(work, base=_base, flows=settings.FLOWS)
    sql("checkpoint")
    script = settings.FOLDER / f"{work}.pgbench"
    script.write_text(_copy(work)[0], encoding="utf-8")
    done = "select count(*) from audit_events where outcome = 'done'"
    before = int(sql(done)[0])
    result = subprocess.run(
        [settings.POSTGRES_BIN / "pgbench", "--no-vacuum", "--protocol=prepared", f"--client={settings.CLIENTS}", "--jobs=1",
         f"--time={settings.SECONDS}", "--define=turn=0", f"--define=base={_base}", f"--define=people={settings.PEOPLE}",
         f"--file={script}", settings.SERVE_URL],
        capture_output=True, text=True, check=False)
    rate = re.search(r"^tps = ([0-9.]+)", result.stdout, re.MULTILINE)
    count = re.search(r"actually processed: ([0-9]+)", result.stdout)
    if result.returncode != 0 or not rate or not count:
        raise SystemExit(f"pgbench failed on {work}: {result.stderr.strip()[-500:]}")
    worked = int(sql(done)[0]) - before
    # Abandoned flows: the gateway would sweep them during another measurement.
    sql("delete from flows where id < '00000001-0000-0000-0000-000000000000'")
    if worked < int(count[1]):
        raise SystemExit(
            f"pgbench's {work} did its work {worked} times in {count[1]}: bench/sql no longer fits the schema, "
            f"or {settings.FLOWS} flows for each client are too few.")
    return float(rate[1])
