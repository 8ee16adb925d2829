"""Writes the manual pages of `gateway` from its own help.

manual.py FOLDER VERSION DATE: reads the output of `gateway --experimental-dump-help`. FOLDER gets one page for the program
and one for each of its commands, with VERSION and DATE at the foot.
"""

import json
import pathlib
import re
import sys

# They stand once, on the page of the program.
COMMON = {"version", "help"}


def roff(text):
    """Plain text as roff: no character of it is a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.splitlines())


def paragraph(text):
    """A list keeps its lines."""
    return f".nf\n{roff(text)}\n.fi" if "\n  " in text else roff(text)


def paragraphs(text):
    return "\n.PP\n".join(paragraph(part.strip()) for part in re.split(r"\n\s*\n", text or "") if part.strip())


def bold(text):
    return f"\\fB{roff(text)}\\fR"


def italic(text):
    return f"\\fI{roff(text)}\\fR"


def spelling(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def arguments(command):
    return [one for one in command.get("arguments", [])
            if one["shouldDisplay"] and one.get("preferredName", {}).get("name") not in COMMON]


def argument(one):
    """How an argument is written in a call."""
    value = italic(one.get("valueName", "value"))
    if one["kind"] == "positional":
        return value
    name = bold(spelling(one["preferredName"]))
    return name if one["kind"] == "flag" else f"{name} {value}"


def synopsis(command, path):
    words = [bold(" ".join(path))]
    for one in arguments(command):
        text = argument(one) + (" ..." if one["isRepeating"] else "")
        words.append(f"[{text}]" if one["isOptional"] else text)
    return " ".join(words)


def entry(one):
    """An argument with its meaning."""
    texts = [one.get("abstract", ""), one.get("discussion", "")]
    if one.get("allValues"):
        texts.append(f"Values: {', '.join(one['allValues'])}.")
    if one.get("defaultValue"):
        texts.append(f"Default: {one['defaultValue']}.")
    return f".TP\n{argument(one)}\n{roff(' '.join(text.strip() for text in texts if text))}"


def section(title, text):
    return f".SH {title}\n{text}" if text else ""


def entries(command):
    return "\n".join(entry(one) for one in arguments(command))


def subcommands(command):
    return [one for one in command.get("subcommands", []) if one["shouldDisplay"] and one["commandName"] != "help"]


def subsection(command, path):
    parts = [f".SS {' '.join(path)}", synopsis(command, path), ".PP", paragraphs(command["abstract"])]
    if command.get("discussion"):
        parts += [".PP", paragraphs(command["discussion"])]
    return "\n".join(parts + [entries(command)])


def page(command, path, version, date, more):
    name = "-".join(path)
    summary = command["abstract"].rstrip(".")
    parts = [
        f'.TH {name.upper()} 1 "{date}" "login\\-gateway {roff(version)}" "Login gateway"',
        section("NAME", f"{roff(name)} \\- {roff(summary[0].lower() + summary[1:])}"),
        section("SYNOPSIS", f"{bold(' '.join(path))} {italic('command')}" if subcommands(command) else synopsis(command, path)),
        section("DESCRIPTION", paragraphs(command.get("discussion") or command["abstract"])),
        section("OPTIONS", entries(command)),
    ]
    return "\n".join(part for part in parts + more if part) + "\n"


FILES = """.TP
.I /etc/login\\-gateway/gateway.env
The settings of this deployment, with its secrets; \\fBgateway init\\fR writes it.
.TP
.I /etc/login\\-gateway/settings.env
Settings of this machine, which win over those of gateway.env. Variables of the environment win over both.
.PP
With \\fB\\-\\-env\\-file\\fR, or a .env file in the working folder, neither is read."""


def main(folder, version, date):
    program, folder = json.load(sys.stdin)["command"], pathlib.Path(folder)
    commands = subcommands(program)
    listed = "\n".join(f".TP\n{bold('gateway-' + one['commandName'])}(1)\n{roff(one['abstract'])}" for one in commands)
    common = ".TP\n\\fB\\-\\-version\\fR\nShow the version.\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the help of any command."
    more = [section("OPTIONS", common), section("COMMANDS", listed), section("FILES", FILES),
            section("SEE ALSO", "\\fBlogin\\-gateway\\-setup\\fR(8), /usr/share/doc/login\\-gateway")]
    (folder / "gateway.1").write_text(page(program, ["gateway"], version, date, more))
    for one in commands:
        path = ["gateway", one["commandName"]]
        below = "\n".join(subsection(two, path + [two["commandName"]]) for two in subcommands(one))
        text = page(one, path, version, date, [section("COMMANDS", below), section("SEE ALSO", "\\fBgateway\\fR(1)")])
        (folder / f"{'-'.join(path)}.1").write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
