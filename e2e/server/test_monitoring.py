"""The metrics, the files of packaging/monitoring, and the log as JSON."""

import json
import re
import subprocess

import pytest
import yaml

from support.patience import wait_until
from support.server import ROOT, Person, Server

FILES = ROOT / "packaging" / "monitoring"
RULES = FILES / "homeward-alerts.yml"
RULE_TESTS = ROOT / "e2e" / "server" / "alert_rules_test.yml"
DASHBOARD = FILES / "homeward-dashboard.json"
# Metrics that only an installation with a timer for backups has.
OPTIONAL = {"homeward_backup_age_seconds", "homeward_backup_ok"}
# Prometheus' own.
FOREIGN = {"up"}


@pytest.fixture(scope="module")
def server():
    server = Server(environment={"HOMEWARD_LOG_FORMAT": "json", "HOMEWARD_LOG_LEVEL": "debug"})
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture(scope="module")
def metrics(server):
    """The metrics of a server that has been used."""
    person = Person(server)
    top_up = server.command("wallet", "top-up", person.email, "12.50")
    assert top_up.returncode == 0, top_up.stderr
    assert server.command("verify").returncode == 0
    # A server seals the ledger when it stops, and reads the batch's age when it starts.
    server.restart()
    person.add_item()
    server.request("POST", "/session", {"email": person.email, "password": "not the password"})
    person.call("POST", "/carrepsa/wallet/nothing")

    def text():
        return server.request("GET", "/metrics")[2].decode()

    wait_until(lambda: "homeward_ledger_seal_age_seconds " in text(), 60, text)
    return text()


def promtool(*arguments, text=None):
    return subprocess.run(["promtool", *arguments], input=text, capture_output=True, text=True, timeout=60, check=False)


def names_in(metrics):
    """Returns the names of all time series."""
    return set(re.findall(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)[ {]", metrics, re.MULTILINE))


def names_used(expression):
    """Returns the metrics that an expression reads."""
    without_labels = re.sub(r"\{[^}]*\}", " ", expression)
    return {name for name in re.findall(r"\b[a-z_]+\b", without_labels)
            if name in FOREIGN or name.startswith(("homeward_", "process_"))}


def test_prometheus_accepts_the_metrics(metrics):
    checked = promtool("check", "metrics", text=metrics)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert not checked.stderr


def test_prometheus_would_reject_a_wrong_metric():
    checked = promtool("check", "metrics", text="# TYPE a_total counter\na_total{b} 1\n")
    assert checked.returncode != 0


def test_metrics_have_no_unbounded_labels(metrics):
    assert re.search(r'route="/tracking/items",method="POST",status="201"} 1\n', metrics)
    assert "@" not in metrics and "Ada" not in metrics
    labels = set(re.findall(r'[{,]([a-z]+)="', metrics))
    assert labels == {"route", "method", "status", "le", "code", "lane", "kind", "version", "database"}


def test_alert_rules_are_valid():
    checked = promtool("check", "rules", str(RULES))
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_alerts_fire_and_stay_silent_when_they_should():
    tested = promtool("test", "rules", str(RULE_TESTS))
    assert tested.returncode == 0, tested.stdout + tested.stderr
    rules = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    cases = [case for test in yaml.safe_load(RULE_TESTS.read_text())["tests"] for case in test["alert_rule_test"]]
    for outcome in (True, False):
        assert {rule["alert"] for rule in rules} == {
            case["alertname"] for case in cases if bool(case.get("exp_alerts")) == outcome}


@pytest.mark.spec("H-25")
def test_alerts_use_metrics_of_the_server(metrics):
    rules = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    used = {name for rule in rules for name in names_used(rule["expr"])}
    assert len(used) > 10
    assert used - names_in(metrics) - FOREIGN <= OPTIONAL


@pytest.mark.spec("H-25")
def test_dashboard_shows_all_metrics_of_the_server(metrics):
    dashboard = json.loads(DASHBOARD.read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    used = {name for expression in expressions for name in names_used(expression)}
    exported = names_in(metrics)
    assert used - exported <= OPTIONAL
    # A histogram is used by some of its series.
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in exported}
    assert families <= {re.sub(r"_(bucket|sum|count)$", "", name) for name in used}


def test_dashboard_is_complete():
    dashboard = json.loads(DASHBOARD.read_text())
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    known = variables | {"__rate_interval"}
    for panel in panels:
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
        assert panel["type"] == "row" or panel["targets"], panel["title"]
    assert set(re.findall(r"\$\{?(\w+)", DASHBOARD.read_text())) <= known


def test_dashboard_expressions_are_valid(tmp_path):
    dashboard = json.loads(DASHBOARD.read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    rules = [{"record": f"panel:{number}", "expr": expression.replace("$__rate_interval", "5m")}
             for number, expression in enumerate(expressions)]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    checked = promtool("check", "rules", str(file))
    assert checked.returncode == 0, checked.stdout + checked.stderr


def log_entries(text):
    """Returns the entries of a log; fails for a line that is none. The server's address is on standard output."""
    entries = [json.loads(line) for line in text.splitlines() if not line.startswith("Homeward is at ")]
    for entry in entries:
        assert set(entry) == {"time", "level", "logger", "source", "message", "metadata"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry["time"])
        assert isinstance(entry["metadata"], dict)
    return entries


@pytest.mark.spec("H-25")
def test_every_line_of_the_log_is_a_json_object(server, metrics):
    request = {"method": "POST", "route": "/tracking/items", "status": "201"}
    entries = log_entries(server.log_text())
    assert any(request.items() <= entry["metadata"].items() for entry in entries)
    assert {entry["level"] for entry in entries} >= {"debug", "info"}


def test_commands_log_in_the_same_format(server, tmp_path):
    # A new store logs its migrations.
    result = server.command("migrate", "--database", f"sqlite:{tmp_path}/a.sqlite", "--data", str(tmp_path))
    assert result.returncode == 0, result.stderr
    entries = log_entries(result.stderr)
    assert [entry["message"] for entry in entries if entry["level"] == "notice"] == ["Schema migrated"]


def test_unknown_log_format_is_refused(server):
    result = server.command("jobs", "list", "--log-format", "xml")
    assert result.returncode != 0
    assert "HOMEWARD_LOG_FORMAT: give text or json" in result.stderr
