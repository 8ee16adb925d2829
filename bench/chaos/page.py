"""The report: a summary as text, and a page with a time line."""

import html as markup
import os

from measure.machine import _first_line
from measure.settings import POSTGRES_BIN, ROOT

from . import settings
from .invariants import NAMES

_WIDTH, _ROW, _LEFT = 1000, 16, 130
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1180px; margin: 2rem auto; padding: 0 1rem }
body { color: #1b1f24; background: #fff }
table { border-collapse: collapse } th, td { text-align: left; padding: .15rem .8rem .15rem 0; vertical-align: top }
td.n { text-align: right } .bad { color: #b00020; font-weight: 600 } .good { color: #1a6b2f }
svg text { font: 11px system-ui, sans-serif; fill: #1b1f24 }
@media (prefers-color-scheme: dark) {
    body { color: #e6e6e6; background: #16181c } svg text { fill: #e6e6e6 } .bad { color: #ff7b8a } .good { color: #7bd88f }
}
"""


def versions():
    neighbour = {}
    if settings.NEIGHBOUR != settings.BINARIES:
        neighbour["neighbour"] = _first_line(str(settings.NEIGHBOUR / "gateway"), "--version")
    return {
        "revision": os.environ.get("CHAOS_REVISION") or _first_line(
            "git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"),
        "gateway": _first_line(str(settings.BINARIES / "gateway"), "--version"), **neighbour,
        "postgresql": _first_line(str(POSTGRES_BIN / "postgres"), "--version"),
        "patroni": _first_line("patroni", "--version"), "haproxy": _first_line("haproxy", "-v"),
    }


def rates(record, begin, end):
    """For each second: acknowledged calls, refusals, and calls without an outcome."""
    columns = [[0, 0, 0] for _ in range(int(end - begin) + 1)]
    place = {"done": 0, "refused": 1, "unknown": 2}
    for call in record.calls:
        if begin <= call.end <= end:
            columns[int(call.end - begin)][place[call.outcome]] += 1
    return columns


def slow(result):
    """The faults after which the first success took too long."""
    return [fault for fault in result["faults"] if fault["recovery"] is None or fault["recovery"] > settings.RECOVERY_SECONDS]


def is_good(result):
    return not (any(result["violations"].values()) or slow(result) or not all(result["sabotage"].values()))


def by_fault(result):
    """For each kind of fault: how often, its longest duration, and its longest recovery."""
    rows = {}
    for fault in result["faults"]:
        count, longest, recovery = rows.get(fault["name"], (0, 0, 0))
        taken = float("inf") if fault["recovery"] is None else fault["recovery"]
        rows[fault["name"]] = (count + 1, max(longest, fault["end"] - fault["begin"]), max(recovery, taken))
    return sorted(rows.items())


def summary(result):
    """Markdown, for the terminal and for docs/chaos.md."""
    lines = [
        f"{result['calls']:,} calls in {(result['end'] - result['begin']) / 60:.1f} minutes, {result['acknowledged']:,} acknowledged "
        f"changes with an audit row, {len(result['faults'])} faults, seed {result['seed']}.", "",
        "| invariant | violations |", "|---|--:|",
        *(f"| {NAMES[name]} | {len(texts)} |" for name, texts in result["violations"].items()), "",
        "| fault | times | longest, s | longest recovery, s |", "|---|--:|--:|--:|",
        *(f"| `{name}` | {count} | {longest:.1f} | {taken:.2f} |" for name, (count, longest, taken) in by_fault(result)), ""]
    if result["sabotage"]:
        lines += ["| sabotage | reported |", "|---|---|", *(
            f"| `{name}` | {'yes' if texts else '**no**'} |" for name, texts in result["sabotage"].items()), ""]
    for name, texts in result["violations"].items():
        lines += [f"VIOLATION {name}: {text}" for text in texts[:10]]
    lines += [f"SLOW {fault['name']} ({fault['detail']}): {fault['recovery']}" for fault in slow(result)]
    return "\n".join(lines)


def _bar(x, y, wide, tall, colour, title=""):
    inside = f"<title>{title}</title>" if title else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{colour}">{inside}</rect>'


def time_line(result):
    """Calls a second and the faults below them, as SVG."""
    begin, end, columns = result["begin"], result["end"], result["rates"]
    scale = _WIDTH / max(1, end - begin)
    most = max((sum(column) for column in columns), default=1) or 1
    names = sorted({fault["name"] for fault in result["faults"]})
    height, base = 150, 140
    parts = []
    for second, (done, refused, unknown) in enumerate(columns):
        y = base
        for count, colour in ((done, "#2e7d4f"), (refused, "#b8a13a"), (unknown, "#c62839")):
            tall = count / most * 130
            y -= tall
            if count:
                parts.append(_bar(_LEFT + second * scale, y, max(scale, .6), tall, colour))
    parts.append(f'<text x="0" y="20">{most} calls/s</text>')
    for row, name in enumerate(names):
        y = height + row * _ROW
        parts.append(f'<text x="0" y="{y + 12}">{name}</text>')
        for fault in (one for one in result["faults"] if one["name"] == name):
            x, wide = _LEFT + (fault["begin"] - begin) * scale, max(2, (fault["end"] - fault["begin"]) * scale)
            taken = "none" if fault["recovery"] is None else f"{fault['recovery']:.2f} s"
            title = markup.escape(f"{fault['begin'] - begin:.1f} s: {name}, {fault['detail']}; recovery {taken}")
            parts.append(_bar(x, y + 2, wide, _ROW - 5, "#4469b0", title))
    bottom = height + len(names) * _ROW + 14
    for minute in range(int((end - begin) / 60) + 1):
        parts.append(f'<text x="{_LEFT + minute * 60 * scale:.1f}" y="{bottom}">{minute} min</text>')
    frame = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 40} {bottom + 6}" role="img"'
    return f'<svg {frame} aria-label="Calls a second, and the faults">{"".join(parts)}</svg>'


def _table(heads, rows):
    head = "".join(f"<th>{markup.escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{markup.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def html(result):
    """One page without any other file."""
    machine = result["machine"]
    facts = [(name, result[name]) for name in ("seed", "command", "date", "calls", "acknowledged", "accounts")]
    facts += [*result["versions"].items(), ("machine", f"{machine['cores']} cores, {machine['processor']}, {machine['system']}")]
    broken = any(result["violations"].values())
    verdict = '<p class="bad">Invariants were violated.</p>' if broken else '<p class="good">Every invariant held.</p>'
    rows = [(f"{fault['begin'] - result['begin']:.1f}", fault["name"], fault["detail"], f"{fault['end'] - fault['begin']:.1f}",
             "none" if fault["recovery"] is None else f"{fault['recovery']:.2f}") for fault in result["faults"]]
    return "\n".join([
        "<!doctype html><html lang=en><meta charset=utf-8><title>Chaos run</title>", f"<style>{_STYLE}</style>",
        f"<h1>Chaos run, seed {result['seed']}</h1>", verdict, _table(("", ""), facts),
        "<h2>Time line</h2><p>Green: acknowledged. Yellow: refused by a rule. Red: no answer, or 5xx. Blue: the fault, until its "
        "cause is gone; its title has the details.</p>", time_line(result),
        "<h2>Invariants</h2>", _table(("invariant", "violations"), [
            (NAMES[name], "; ".join(texts[:20]) or "none") for name, texts in result["violations"].items()]),
        "<h2>Sabotage</h2>", _table(("act", "the check says"), [
            (name, texts[0] if texts else "nothing") for name, texts in result["sabotage"].items()]),
        "<h2>Faults</h2>", _table(("at, s", "fault", "", "lasted, s", "first success after it, s"), rows),
        "<h2>Calls</h2>", _table(("kind", "outcome", "count"), result["kinds"]),
        _table(("note", "count"), result["notes"].items()), "</html>", ""])
