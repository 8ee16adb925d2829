#!/usr/bin/env bash
# Checks the alert rules, their tests and the expressions of the dashboard with promtool (`make alerts`).
set -euo pipefail
# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

if [[ ${1:-} == --help ]]; then
    say "Usage: scripts/check-alerts.sh. It checks deploy/prometheus and deploy/grafana, and needs promtool and python3."
    exit 0
fi
command -v promtool >/dev/null || fail "promtool is missing. Debian and Ubuntu have it: apt-get install prometheus"
command -v python3 >/dev/null || fail "python3 is missing: Debian and Ubuntu have it."

cd "$root/deploy/prometheus"
promtool check rules alerts.yml
promtool test rules alerts_test.yml

# A recording rule for each expression of the dashboard, for its syntax.
rules=$(mktemp --suffix=.yml)
trap 'rm -f "$rules"' EXIT
python3 - ../grafana/dashboard.json >"$rules" <<'PYTHON'
import json
import sys

panels = json.load(open(sys.argv[1]))["panels"]
expressions = [target["expr"] for panel in panels for target in panel.get("targets", [])]
rules = [
    {"record": f"dashboard:{number}", "expr": expression.replace("$__rate_interval", "5m")}
    for number, expression in enumerate(expressions)
]
# JSON is YAML.
print(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
PYTHON
promtool check rules "$rules" >/dev/null || fail "The dashboard has an expression that Prometheus can't read."
say "The alert rules hold, and Prometheus reads every expression of the dashboard."
