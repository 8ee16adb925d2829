"""Writes the parts of the gateway as CycloneDX 1.6 JSON: the reviewed Swift packages, and libraries from dpkg.

sbom.py ROOT PROGRAM: PROGRAM is the built gateway, whose shared libraries are looked up; prints the document.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from urllib.parse import quote


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def swift_packages(root):
    """One component for each package, named as package URLs of the type swift are; its commit is the resolved one."""
    pins = json.loads((root / "Package.resolved").read_text())["pins"]
    revisions = {pin["location"]: pin["state"]["revision"] for pin in pins}
    for line in output(str(root / "scripts/package-versions.sh"), "--list", str(root)).splitlines():
        location, version = line.split()
        namespace, name = re.sub(r"^https://|\.git$", "", location).rsplit("/", 1)
        purl = f"pkg:swift/{namespace}/{name}@{version}"
        yield {
            "type": "library", "bom-ref": purl, "group": namespace, "name": name, "version": version, "purl": purl,
            "properties": [{"name": "git:revision", "value": revisions[location]}],
            "externalReferences": [{"type": "vcs", "url": location}],
        }


def distribution():
    words = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', pathlib.Path("/etc/os-release").read_text(), re.M))
    return words.get("ID", "debian"), f"{words.get('ID', 'debian')}-{words.get('VERSION_ID', '0')}"


def system_packages(program):
    """One component for each package that brings a library which the program loads."""
    paths = {os.path.realpath(path) for path in re.findall(r"(/\S+\.so\S*)", output("ldd", str(program)))}
    names = set()
    for path in sorted(paths):
        # dpkg may know a file by its name before /usr was merged.
        for spelling in (path, path.removeprefix("/usr")):
            found = subprocess.run(["dpkg-query", "--search", spelling], capture_output=True, text=True)
            if found.returncode == 0:
                names.add(found.stdout.split(": ")[0].split(",")[0].strip())
                break
    vendor, release = distribution()
    for name in sorted(names):
        package, version, architecture, source = output(
            "dpkg-query", "--show", "--showformat", "${Package}\t${Version}\t${Architecture}\t${source:Package}", name
        ).split("\t")
        purl = f"pkg:deb/{vendor}/{package}@{quote(version, safe='')}?arch={architecture}&distro={release}"
        yield {
            "type": "library", "bom-ref": purl, "name": package, "version": version, "purl": purl,
            "properties": [{"name": "dpkg:source", "value": source}],
        }


def revision(root):
    found = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def document(root, program):
    components = sorted([*swift_packages(root), *system_packages(program)], key=lambda part: part["purl"])
    commit = revision(root)
    names = "\n".join([commit] + [part["purl"] for part in components])
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or datetime.now(timezone.utc).timestamp())
    gateway = {"type": "application", "bom-ref": "login-gateway", "name": "login-gateway", "version": commit}
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, names)}",
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": gateway,
        },
        "components": components,
        "dependencies": [{"ref": "login-gateway", "dependsOn": [part["bom-ref"] for part in components]}],
    }


if __name__ == "__main__":
    json.dump(document(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])), sys.stdout, indent=2)
    print()
