"""The figures of `make bench-growth` as tables."""

from .report import table

GOAL = 1.3
_KINDS = {"pages": "pages", "wal": "log bytes", "us": "µs"}


def ratio(results, size, work, kind):
    """What a work costs at a size, of the smallest size; None where it costs nothing: the log of a mere search is not its own."""
    first, now = results["sizes"][0]["works"][work][kind], size["works"][work][kind]
    return now / first if first > (50 if kind == "wal" else 0) else None


def _cell(value, digits=2):
    return "–" if value is None else f"{value:,.{digits}f}"


def costs(results):
    """A row for each work: costs at the smallest size, and the ratios of the others."""
    smallest, *others = results["sizes"]
    head = ["work", *[f"{label}, {smallest['accounts']:,}" for label in _KINDS.values()],
            *[f"{label} ×, {size['accounts']:,}" for size in others for label in _KINDS.values()], f"at most {GOAL}"]
    rows = []
    for work, cost in smallest["works"].items():
        ratios = [ratio(results, size, work, kind) for size in others for kind in _KINDS]
        counted = [ratio(results, size, work, kind) for size in others for kind in ("pages", "wal")]
        rows.append([work, *[_cell(cost[kind], 0) for kind in _KINDS], *[_cell(value) for value in ratios],
                     "yes" if all(value is None or round(value, 2) <= GOAL for value in counted) else "NO"])
    return table(head, rows)


def read(results):
    """Pages that were not in PostgreSQL's buffers, and the log with page images: both depend on its settings."""
    head = ["a transaction", *[f"{label}, {size['accounts']:,}" for label in ("read", "log with images") for size in results["sizes"]]]
    rows = [[work, *[_cell(size["works"][work]["read"], 1) for size in results["sizes"]],
             *[_cell(size["works"][work]["wal_with_images"], 0) for size in results["sizes"]]] for work in results["sizes"][0]["works"]]
    return table(head, rows)


def sizes(results):
    largest = results["sizes"][-1]["sizes"]
    names = sorted(largest, key=lambda name: -sum(largest[name]))[:12]
    rows = [[name, *[_cell(part / 1e6, 1) for size in results["sizes"] for part in size["sizes"].get(name, [0, 0])]] for name in names]
    rows.append(["whole database", *[text for size in results["sizes"] for text in (_cell(size["database"] / 1e6, 1), "")]])
    head = ["MB", *[f"{part}, {size['accounts']:,}" for size in results["sizes"] for part in ("table", "indexes")]]
    return table(head, rows)


def seconds(results):
    rows = [[name, *[_cell(size["seconds"].get(name), 1) for size in results["sizes"]]] for name in results["sizes"][0]["seconds"]]
    return table(["seconds", *[f"{size['accounts']:,}" for size in results["sizes"]]], rows)


def csv(results):
    """A line for each work and size."""
    lines = ["accounts,work,pages,read,wal_bytes,wal_bytes_with_images,us"]
    for size in results["sizes"]:
        lines += [",".join([str(size["accounts"]), work, *[str(cost[kind]) for kind in ("pages", "read", "wal", "wal_with_images", "us")]])
                  for work, cost in size["works"].items()]
    return "\n".join(lines) + "\n"


def whole(results):
    machine = results["machine"]
    about = (f"{results['date']}, {machine['processor']}, {machine['cores']} cores, revision {results['versions']['commit']}, "
             f"{results['versions']['postgresql']}, shared_buffers {results['shared_buffers']}: {results['command']}")
    return "\n\n".join([about, costs(results), read(results), sizes(results), seconds(results)])
