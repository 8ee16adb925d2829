"""The figures in words: a table of the works, the limits, and the floors with what was reached; and one of the accounts."""

from .accounts import reached


def _number(value, digits=0):
    return "–" if value is None else f"{value:,.{digits}f}"


def table(head, rows):
    widths = [max(len(str(row[column])) for row in [head, *rows]) for column in range(len(head))]
    lines = [" | ".join(str(cell).ljust(width) if index == 0 else str(cell).rjust(width)
                        for index, (cell, width) in enumerate(zip(row, widths))) for row in [head, *rows]]
    lines.insert(1, " | ".join("-" * width if index == 0 else "-" * (width - 1) + ":" for index, width in enumerate(widths)))
    return "\n".join(f"| {line} |" for line in lines)


def _times(figures):
    return [_number(figures["per_second"]), _number(figures["p50_us"] / 1000, 2), _number(figures["p99_us"] / 1000, 2)]


def works(results):
    """Requests a second and times at each number of connections."""
    rows = []
    for name, work in results["works"].items():
        for connections, figures in work.items():
            rows.append([
                name, connections, *_times(figures), _number(figures["gateway_cpu_us"]), _number(figures["postgres_cpu_us"]),
                _number(figures["statements"], 2), _number(figures["failures"])])
    for name, figures in results.get("beside", {}).items():
        rows.append([f"{name}, both at once", results["clients"], *_times(figures), "–", "–", "–", _number(figures["failures"])])
    head = ["work", "connections", "requests/s", "p50 ms", "p99 ms", "gateway µs", "PostgreSQL µs", "statements", "not 2xx"]
    return table(head, rows)


def limits(results):
    rows = [[name, _number(rate)] for name, rate in results["limits"].items() if rate is not None]
    return table(["limit", "a second"], rows)


def written(results):
    """What a transaction adds to the write-ahead log."""
    rows = [[work, _number(counts["records"], 1), _number(counts["bytes"]), _number(counts["entries"], 1)]
            for work, counts in results["written"].items()]
    return table(["a transaction writes", "records", "bytes", "index entries"], rows)


def floors(results):
    rows = [[floor["work"], floor["what"], _number(floor["value"], 2),
             *(("–", "–") if floor["floor"] is None else (f"{floor['sense']} {floor['floor']:g}", "yes" if floor["reached"] else "NO"))]
            for floor in results["floors"]]
    return table(["work", "what", "measured", "floor", "reached"], rows)


def profiles(results):
    """What each part of the program takes of a request, in µs of the processor, the kernel's work for it in brackets."""
    found = results["profiles"]
    parts = sorted({part for work in found.values() for part in work}, key=lambda part: -sum(
        sum(work.get(part, {}).values()) for work in found.values()))
    spent = {name: results["works"][name][str(results["clients"])]["gateway_cpu_us"] for name in found}

    def cell(name, part):
        shares = found[name].get(part)
        return "–" if shares is None else f"{spent[name] * sum(shares.values()):.0f} ({spent[name] * shares['kernel']:.0f})"

    rows = [[part, *[cell(name, part) for name in found]] for part in parts]
    return table(["gateway µs (kernel)", *found], rows)


def accounts(results):
    """How long operators waited, with the limits."""
    found = results["accounts"]
    rows = []
    for kind, question in found["questions"].items():
        one, many, verdict = question["1"], question.get(str(found["at_once"])), reached(question)
        rows.append([
            kind, *[_number(one[name], 1) for name in ("p50_ms", "p95_ms", "p99_ms", "worst_ms")], _number(question["first_ms"], 1),
            *[_number(many and many[name], 1) for name in ("p50_ms", "p99_ms")], _number(question["limit_ms"]),
            "–" if verdict is None else "yes" if verdict else "NO"])
    at_once = f"{found['at_once']} at once:"
    head = ["asked for", "p50 ms", "p95 ms", "p99 ms", "worst", "first", f"{at_once} p50", f"{at_once} p99", "limit", "reached"]
    about = (f"{found['date']}, {found['command']}: {found['accounts']:,} accounts, {found['events']:,} events, "
             f"{found['database_mib']:,} MiB, seeded in {found['seeding_s']:.0f} s; medians of {found['runs']} runs")
    export = f"export of the audit log: {found['export']['rows_per_second']:,} rows/s"
    return "\n\n".join([about, table(head, rows), export])


def whole(results):
    machine = results["machine"]
    about = (f"{results['date']}, {machine['processor']}, {machine['cores']} cores, {machine['system']}; "
             f"{results['seconds']} s a run, medians of {results['runs']}")
    memory = results["memory"]
    rest = (f"memory: {memory['idle_mib']:.1f} MiB idle, {memory['loaded_mib']:.1f} MiB loaded, "
            f"{memory['peak_mib']:.1f} MiB at most; ready {results['start_ms']:.0f} ms after its start")
    if bare := results.get("bare_cpu_us"):
        beside = ", ".join(f"{figures[str(results['clients'])]:.0f} beside {name}" for name, figures in bare.items()
                           if str(results["clients"]) in figures)
        rest += f"; µs of its server's processor for a bare answer: {beside}"
    parts = [profiles(results)] if "profiles" in results else []
    return "\n\n".join([about, works(results), written(results), limits(results), floors(results), *parts, rest])
