"""Two nodes on one PostgreSQL server, without a balancer: faults, and limits and sign-outs that hold on both nodes.
e2e/cluster has the faults of a whole cluster."""

import http.client
import signal
from contextlib import ExitStack, closing
from itertools import cycle, islice

import pytest

from support.carrepsa import RICH
from support.cluster import Node
from support.cluster_load import load_during
from support.patience import answers, wait_until
from support.server import Endpoint, Person, Postgres, free_port

REGISTRATIONS_PER_HOUR = 40
# Limits+Accounts.swift and Limits+WebCore.swift
FAILURES_PER_EMAIL, STREAMS_PER_ACCOUNT = 10, 20


class AnyNode(Endpoint):
    """The nodes in turn, as a client uses them that knows all addresses."""

    def __init__(self, nodes):
        self.nodes, self.turns = nodes, cycle(nodes)

    @property
    def port(self):
        for node in islice(self.turns, len(self.nodes)):
            if node.is_running:
                return node.port
        raise ConnectionError("no node is running")


@pytest.fixture(scope="module")
def database():
    database = Postgres().start()
    yield database
    database.close()


@pytest.fixture(scope="module")
def nodes(database, tmp_path_factory):
    environment = {**RICH, "HOMEWARD_OBJECTS": f"folder:{tmp_path_factory.mktemp('objects')}",
                   "HOMEWARD_REGISTRATIONS_PER_HOUR": str(REGISTRATIONS_PER_HOUR)}
    url = database.new_database()
    nodes = [Node(number, url, f"http://localhost:{free_port()}", environment) for number in (1, 2)]
    try:
        nodes[0].start()
        nodes[1].copy_keys(nodes[0])
        nodes[1].start()
        yield nodes
    finally:
        for node in nodes:
            node.close()


def is_sound(node):
    ledger = node.command("verify")
    assert ledger.returncode == 0, ledger.stdout + ledger.stderr


def test_the_other_node_continues_when_one_is_killed(nodes):
    with load_during("kill -9 of a node", AnyNode(nodes)) as load:
        nodes[0].kill()
        load.wait_for_writes()
        nodes[0].start()
    is_sound(nodes[0])


def test_both_nodes_continue_after_the_database_was_killed(nodes, database):
    with load_during("kill -9 of PostgreSQL", AnyNode(nodes)) as load:
        database.kill()
        try:
            wait_until(lambda: load.history.failed, 30, "no request failed")
        finally:
            database.start()
        for node in nodes:
            wait_until(answers(lambda node=node: node.request("GET", "/health/ready")[0] == 200, OSError), 30,
                       "a node isn't ready")
    is_sound(nodes[1])


def from_network(number):
    """The header of a proxy that names the client's network, so that each test has its own."""
    return {"X-Forwarded-For": f"203.0.113.{number}"}


def sign_in(node, person, password):
    return node.request("POST", "/session", {"email": person.email, "password": password})[0]


def test_wrong_passwords_at_both_nodes_count_together(nodes):
    person = Person(nodes[0])
    for attempt in range(FAILURES_PER_EMAIL):
        assert sign_in(nodes[attempt % 2], person, "not the password") == 401
    for node in nodes:
        assert sign_in(node, person, person.password) == 429


def test_sign_ups_at_both_nodes_count_together(nodes):
    def sign_up(node, number):
        body = {"email": f"newcomer-{number}@example.org", "password": "correct horse battery", "name": "Ada"}
        return node.request("POST", "/accounts", body, headers=from_network(7))[0]

    for number in range(REGISTRATIONS_PER_HOUR):
        assert sign_up(nodes[number % 2], number) == 201
    for node in nodes:
        assert sign_up(node, REGISTRATIONS_PER_HOUR) == 429


def stream(node, person, opened):
    """Opens a live stream until the end of the test and returns its response."""
    connection = opened.enter_context(closing(http.client.HTTPConnection("127.0.0.1", node.port, timeout=10)))
    connection.request("GET", "/events", headers={
        "Accept": "text/event-stream", "Authorization": f"Bearer {person.token}"})
    return opened.enter_context(closing(connection.getresponse()))


def test_each_node_counts_its_own_live_streams(nodes):
    person = Person(nodes[0])
    with ExitStack() as opened:
        for node in nodes:
            # Python closes the connection of a response that is no longer referenced.
            streams = [stream(node, person, opened) for _ in range(STREAMS_PER_ACCOUNT + 1)]
            assert [response.status for response in streams] == [200] * STREAMS_PER_ACCOUNT + [429]


# Each returns the request that ends or locks the person's session.


def end_own_session(node, person):
    return lambda: node.request("DELETE", "/session", token=person.token)


def revoke_session(node, person):
    """Signs the person's session out from another one."""
    status, _, other = node.request("POST", "/session", {"email": person.email, "password": person.password})
    assert status == 201, other
    sessions = node.request("GET", "/account/sessions", token=other["token"])[2]["items"]
    (own,) = [session["id"] for session in sessions if not session["current"]]
    return lambda: node.request("DELETE", f"/account/sessions/{own}", token=other["token"])


def lock_session(node, person):
    return lambda: node.request("DELETE", "/lock/unlocking", token=person.token)


@pytest.mark.parametrize("end, status", [(end_own_session, 401), (revoke_session, 401), (lock_session, 423)])
def test_the_end_of_a_session_is_effective_at_the_other_node(nodes, end, status):
    person = Person(nodes[0])
    if end is lock_session:
        person.call("PUT", "/lock/passcode", {"passcode": "271828", "repeat": "271828"}, expect=204)
    here, there = nodes
    with ExitStack() as opened:
        # The other node has the session in its cache, and sends it events.
        assert there.request("GET", "/tracking/items", token=person.token)[0] == 200
        events = stream(there, person, opened)
        assert events.status == 200
        request = end(here, person)
        assert request()[0] == 204
        events.read()
        wait_until(lambda: there.request("GET", "/tracking/items", token=person.token)[0] == status)


@pytest.mark.spec("T-6-1-4")
def test_the_end_of_access_to_an_item_is_effective_at_the_other_node(nodes):
    here, there = nodes
    owner, guest = Person(here, "Ada"), Person(here, "Ben")
    item = owner.add_item("Bike")
    path = f"/tracking/items/{item['id']}"
    made = owner.call("POST", f"{path}/invitations", {"access": "see"}, expect=201)
    guest.call("POST", "/tracking/invitations", {"code": made["url"].rsplit("/", 1)[1]}, expect=201)
    with ExitStack() as opened:
        assert there.request("GET", path, token=guest.token)[0] == 200
        events = stream(there, guest, opened)
        assert events.status == 200
        owner.call("DELETE", f"{path}/people/{guest.id}", expect=204)
        while b'"access"' not in (line := events.readline()):
            assert line, "the stream ended without the event"
        assert there.request("GET", path, token=guest.token)[0] == 404


def test_a_node_that_stops_responds_until_balancers_have_noticed(own_server):
    server = own_server(environment={"HOMEWARD_DRAIN_SECONDS": "8"})
    someone = Person(server)
    assert server.request("GET", "/health/ready")[0] == 200
    with ExitStack() as opened:
        events = stream(server, someone, opened)
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: server.request("GET", "/health/ready")[0] == 404)
        someone.add_item("Keys")
        while b'"item"' not in (line := events.readline()):
            assert line, "the stream ended before the server had drained"
        events.read()
    assert server.process.wait(20) == 0
    assert "drains before it stops" in server.log_text()


def test_servers_are_found_without_ports_in_the_uri(postgres, own_server):
    name = postgres.new_database().rsplit("/", 1)[1]
    # The form that the operating guide gives. PostgreSQL's default port is in use elsewhere.
    server = own_server(f"postgres://homeward@127.0.0.1,localhost/{name}", environment={"PGPORT": str(postgres.port)})
    assert Person(server).add_item("Keys")["name"] == "Keys"
