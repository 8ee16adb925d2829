"""Which regions of the security decisions no test reached: `make coverage`.

    coverage.py --files                    the files that hold the decisions
    coverage.py PROGRAM PROFILE [--json]   what a run of PROGRAM covered of them

A file holds a decision if it declares a type that a room's page names under "What it decides", or extends such a type in a
file of its own, or if its name ends with one of NAMES. Modules that parse and verify for every room have no such page: all of
their files count.

Swift has regions, not branches: a region is a stretch of code without a condition, such as the `else` of a guard.
"""

import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHOLE_MODULES = ["JSON", "Cryptography", "WebAuthn", "Authorization", "HTTPServer"]
NAMES = re.compile(r"^Sources/(?!Attacks|Commands|ProviderSimulator).*"
                   r"(Checks|Codes?|Cookie|Guard|Machine|Policy|Proof|Rules?|Signatures?|Tokens?|Verifiers?)\.swift$")


def swift_files(module):
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, "Sources", module))):
        for name in sorted(names):
            if name.endswith(".swift"):
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def named_decisions():
    """Pairs of a module and a word in code marks, from the rooms' pages."""
    for module in sorted(os.listdir(os.path.join(ROOT, "Sources"))):
        page = os.path.join(ROOT, "Sources", module, f"{module}.docc", f"{module}.md")
        if os.path.exists(page):
            text = open(page, encoding="utf-8").read()
            section = re.search(r"^## What it decides$(.*?)(?=^## |\Z)", text, re.S | re.M)
            for word in re.findall(r"`([^`]+)`", section.group(1) if section else ""):
                yield module, word


def declarations():
    """The files of each declared type, with those of its extensions."""
    found = {}
    kind = re.compile(r"^(?:package |public |final |indirect |private )*(?:struct|enum|class|actor|protocol) (\w+)", re.M)
    for module in sorted(os.listdir(os.path.join(ROOT, "Sources"))):
        files = list(swift_files(module))
        for path in files:
            for name in kind.findall(open(os.path.join(ROOT, path), encoding="utf-8").read()):
                extensions = [other for other in files if os.path.basename(other).startswith(f"{name}+")]
                found.setdefault(name, {}).setdefault(module, []).extend([path, *extensions])
    return found


def decision_files():
    files = {path for module in sorted(os.listdir(os.path.join(ROOT, "Sources"))) for path in swift_files(module)
             if module in WHOLE_MODULES or NAMES.match(path)}
    declared, unknown = declarations(), []
    for module, word in named_decisions():
        if word.endswith(".swift"):
            files.add(f"Sources/{word}")
        elif re.fullmatch(r"[A-Z]\w+", word) and not os.path.isdir(os.path.join(ROOT, "Sources", word)):
            places = declared.get(word, {})
            found = places.get(module) or [path for paths in places.values() for path in paths]
            files.update(found)
            if not found:
                unknown.append(f"{word} of {module}")
    unknown += [path for path in sorted(files) if not os.path.exists(os.path.join(ROOT, path))]
    if unknown:
        sys.exit(f"No file declares what these pages name as a decision: {', '.join(unknown)}. Correct the pages.")
    return sorted(files)


def regions(program, profile, files):
    """The count of each region of each file: the greatest of all copies of a generic function."""
    tool = os.path.join(os.path.dirname(os.path.realpath(swift())), "llvm-cov")
    export = subprocess.run(
        [tool, "export", "-format=text", "-skip-expansions", "-instr-profile", profile, program]
        + [os.path.join(ROOT, path) for path in files],
        stdout=subprocess.PIPE, check=True)
    counts = {path: {} for path in files}
    for function in json.loads(export.stdout)["data"][0]["functions"]:
        path = os.path.relpath(function["filenames"][0], ROOT)
        for *place, count, _, _, kind in function["regions"]:
            if kind == 0 and path in counts:
                counts[path][tuple(place)] = max(count, counts[path].get(tuple(place), 0))
    return counts


def swift():
    return next(os.path.join(folder, "swift") for folder in os.environ["PATH"].split(":")
                if os.path.exists(os.path.join(folder, "swift")))


def report(counts):
    """One entry for each file: covered and all regions, and the lines where an uncovered one begins."""
    for path, places in counts.items():
        lines = open(os.path.join(ROOT, path), encoding="utf-8").read().split("\n")
        missed = sorted({place[0] for place, count in places.items() if count == 0})
        yield {
            "file": path, "covered": sum(count > 0 for count in places.values()), "regions": len(places),
            "uncovered": [{"line": line, "source": lines[line - 1].strip()} for line in missed],
        }


def show(entries):
    def row(name, covered, total):
        print(f"{covered:6} of {total:6} {100 * covered / total if total else 100:6.1f} %  {name}")

    for entry in entries:
        row(entry["file"], entry["covered"], entry["regions"])
    print("\nUncovered:")
    for entry in entries:
        for place in entry["uncovered"]:
            print(f"{entry['file']}:{place['line']}: {place['source']}")
    print()
    row("regions in all", *(sum(entry[key] for entry in entries) for key in ["covered", "regions"]))


def main(arguments):
    if arguments == ["--files"]:
        print("\n".join(decision_files()))
    elif len(arguments) in [2, 3] and arguments[2:] in [[], ["--json"]]:
        entries = list(report(regions(arguments[0], arguments[1], decision_files())))
        print(json.dumps(entries, indent=1)) if arguments[2:] else show(entries)
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
