"""Writes a settings file in which every setting stands with its default, behind a #. Secrets are not in it.

default-settings.py: reads the output of `gateway check-configuration --print-reference`; prints the file.
"""

import re
import sys
import textwrap

OPENING = """\
# Settings of this machine. Each one is here with its default: to change one, remove its # and restart gateway.
#
# A setting here wins over one in gateway.env, which `gateway init` writes. Secrets belong into gateway.env alone.
# Write values plainly: no quotes, no backslashes, no comments behind them, commas between the entries of a list."""

ROW = re.compile(r"^\| `(?P<key>[^`]+)` \| (?P<kind>[^|]*) \| (?P<default>[^|]*) \| (?P<secret>[^|]*) \| (?P<meaning>.*) \|$")


def plain(markdown):
    """Text without the marks of Markdown; a link is its address below docs/."""
    return re.sub(r"\[([^]]*)\]\(([^)]*)\)", r"docs/\2", markdown.replace("`", "").replace("\\|", "|")).strip()


def entry(row):
    default = row["default"].strip()
    value = re.fullmatch(r"`([^`]*)`|(\d+)", default)
    words = plain(row["meaning"]) + (f" Default: {plain(default)}." if default and not value else "")
    return "\n".join(textwrap.wrap(words, 116, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
                     + [f"#{row['key']}={plain(default) if value else ''}"])


def blocks(lines):
    for line in lines:
        if line.startswith("## "):
            yield f"# --- {line[3:].strip()} ---"
        row = ROW.match(line.rstrip())
        if row and not row["secret"].strip():
            yield entry(row)


if __name__ == "__main__":
    found = list(blocks(sys.stdin))
    if not any(not block.startswith("# ---") for block in found):
        sys.exit("The reference has no table of settings.")
    print("\n\n".join([OPENING, *found]))
