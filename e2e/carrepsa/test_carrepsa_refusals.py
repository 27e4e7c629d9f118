"""Rejected requests and simultaneous requests in Carrepsa. With `ROUNDS` above 2 (make soak), 100 clients act at
once."""

import os
import threading

import pytest

from support.carrepsa import LOCK, REWARD, START, CarrepsaFixture, act, listed, post, state

CROWD = 100 if int(os.environ.get("ROUNDS", "2")) > 2 else 16
FULL = (START, 0)


def at_once(calls):
    """Sends all requests at the same moment, and returns the statuses and the responses."""
    barrier, results = threading.Barrier(len(calls)), [None] * len(calls)

    def run(index, someone, method, path, body):
        barrier.wait()
        results[index] = someone.server.request(method, path, body, someone.token)

    threads = [threading.Thread(target=run, args=(index, *call)) for index, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [status for status, _, _ in results], [answer for _, _, answer in results]


def history(someone):
    return someone.call("GET", "/carrepsa/wallet"), someone.call("GET", "/carrepsa/wallet/entries?limit=200")


@pytest.mark.smoke
@pytest.mark.engines
def test_exactly_one_of_many_carriers_gets_the_package(carrepsa):
    olga = carrepsa.add_person("Olga")
    carriers = [carrepsa.add_person(f"Karl {number}") for number in range(CROWD)]
    package = post(olga)
    before = [history(carrier) for carrier in carriers]
    statuses, answers = at_once(
        [(carrier, "POST", f"/carrepsa/packages/{package['id']}/acceptance", {}) for carrier in carriers])
    assert sorted(statuses) == [201] + [409] * (CROWD - 1)
    assert {answer["error"]["code"]
            for status, answer in zip(statuses, answers, strict=True) if status != 201} == {"conflict"}
    winner = statuses.index(201)
    for number, carrier in enumerate(carriers):
        if number != winner:
            assert history(carrier) == before[number]
            assert listed(carrier, role="carrier") == []
    carrepsa.has(
        (START - REWARD, REWARD), *[(START - LOCK, LOCK) if number == winner else FULL for number in range(CROWD)])


@pytest.mark.smoke
@pytest.mark.engines
def test_funds_for_one_request_pay_for_exactly_one(carrepsa):
    olga = carrepsa.add_person("Olga")
    body = {"title": "Piano", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": START // 2 + 1, "moneyLock": LOCK}
    statuses, answers = at_once([(olga, "POST", "/carrepsa/packages", body)] * CROWD)
    assert sorted(statuses) == [201] + [409] * (CROWD - 1)
    assert {answer["error"]["code"] for answer in answers if "error" in answer} == {"insufficient_funds"}
    assert listed(olga, role="owner") == ["Piano"]
    carrepsa.has((START // 2 - 1, START // 2 + 1))


@pytest.mark.smoke
@pytest.mark.engines
def test_simultaneous_confirmations_pay_once(carrepsa):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga)
    act(karl, package, "acceptance")
    act(olga, package, "pickup")
    statuses, _ = at_once([(olga, "POST", f"/carrepsa/packages/{package['id']}/delivery", {})] * CROWD)
    assert sorted(statuses) == [201] + [409] * (CROWD - 1)
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0))
    assert [entry["kind"] for entry in history(karl)[1]["items"]].count("earned") == 1


@pytest.mark.parametrize("amount", [0, -1, 1.5, "1e3", 2 ** 63, 2 ** 63 - 1, None, True], ids=str)
@pytest.mark.parametrize("name", ["reward", "moneyLock"])
def test_invalid_amount_is_rejected(engine, two_people, name, amount):
    carrepsa, olga, _ = two_people
    answer = post(olga, expect=422, **{name: amount})
    assert list(answer["error"]["fields"]) == [name]
    carrepsa.has(FULL, FULL)
    assert listed(olga, role="owner") == []


def test_overflowing_reward_plus_deposit_is_rejected(engine, two_people):
    carrepsa, olga, _ = two_people
    post(olga, expect=422, reward=2 ** 62, moneyLock=2 ** 62)
    carrepsa.has(FULL, FULL)


@pytest.mark.parametrize("fields, name", [
    ({"title": ""}, "title"), ({"title": "x" * 51}, "title"), ({"from": " "}, "from"), ({"to": "x" * 101}, "to"),
    ({"to": "a\u0007b"}, "to"), ({"weight": 0}, "weight"), ({"weight": "5"}, "weight"),
    ({"deadline": "2001-01-01"}, "deadline"),
    ({"deadline": "2001-01-01T00:00:00.000Z"}, "deadline"), ({"pictureId": "nothing"}, "pictureId"),
], ids=str)
def test_invalid_request_names_its_field(engine, two_people, fields, name):
    carrepsa, olga, _ = two_people
    assert list(post(olga, expect=422, **fields)["error"]["fields"]) == [name]
    carrepsa.has(FULL, FULL)


@pytest.fixture(scope="module")
def pair(servers):
    """Two people shared by all of these tests, because rejected requests change nothing."""
    carrepsa = CarrepsaFixture(servers("sqlite"))
    return carrepsa, carrepsa.add_person("Olga"), carrepsa.add_person("Karl")


@pytest.fixture
def two_people(pair):
    return pair


def test_steps_out_of_turn_are_rejected(carrepsa):
    olga, karl, eve = carrepsa.add_person("Olga"), carrepsa.add_person("Karl"), carrepsa.add_person("Eve")
    package = post(olga)
    held = (START - REWARD, REWARD)
    act(olga, package, "acceptance", expect=403)
    for someone, step in ((karl, "pickup"), (karl, "delivery"), (olga, "pickup"), (olga, "delivery")):
        assert someone.server.request("POST", f"/carrepsa/packages/{package['id']}/{step}", {},
                                      someone.token)[0] in (403, 409)
    carrepsa.has(held, FULL, FULL)

    act(karl, package, "acceptance")
    act(karl, package, "acceptance", expect=409)
    for step in ("acceptance", "pickup", "delivery", "delivery-report", "cancellation-request", "dispute"):
        act(eve, package, step, expect=409 if step == "acceptance" else 404, body={"reason": "Never mind."})
    act(karl, package, "pickup", expect=422)
    act(olga, package, "delivery", expect=409)
    olga.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=409)
    carrepsa.has(held, (START - LOCK, LOCK), FULL)

    act(olga, package, "pickup")
    act(olga, package, "pickup", expect=409)
    for someone in (olga, karl):
        act(someone, package, "acceptance", method="DELETE", expect=409)
    act(karl, package, "delivery", expect=422)
    assert state(olga, package) == "travelling"
    carrepsa.has(held, (START - LOCK, LOCK), FULL)

    act(olga, package, "delivery")
    for step in ("delivery", "dispute", "cancellation-request", "pickup"):
        act(olga, package, step, expect=409, body={"reason": "Never mind."})
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0), FULL)


def test_double_tap_takes_effect_once(carrepsa):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    key = {"Idempotency-Key": "3f0a9d54-61c5-4b8f-9d38-0c8c1c4b7a10"}
    body = {"title": "Lamp", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": REWARD, "moneyLock": LOCK}
    first, again = (olga.call("POST", "/carrepsa/packages", body, expect=201, headers=key) for _ in range(2))
    assert first["id"] == again["id"]
    for _ in range(2):
        karl.call("POST", f"/carrepsa/packages/{first['id']}/acceptance", {}, expect=201, headers=key)
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))


def test_handovers_are_confirmed_with_codes(carrepsa):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga)
    act(karl, package, "acceptance")
    for step, role, expected in (("pickup", olga, "travelling"), ("delivery", olga, "delivered")):
        code = act(role, package, "handover-codes", body={"step": step})["code"]
        wrong = f"{(int(code) + 1) % 1_000_000:06}"
        assert list(act(karl, package, step, expect=422, body={"code": wrong})["error"]["fields"]) == ["code"]
        assert act(karl, package, step, body={"code": code})["state"] == expected
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0))


def test_wrong_codes_are_throttled(carrepsa):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga)
    act(karl, package, "acceptance")
    code = act(olga, package, "handover-codes", body={"step": "pickup"})["code"]
    for number in range(1, 6):
        act(karl, package, "pickup", expect=422, body={"code": f"{(int(code) + number) % 1_000_000:06}"})
    assert act(karl, package, "pickup", expect=429, body={"code": code})["error"]["code"] == "throttled"
    assert state(olga, package) == "accepted"


def test_cancelling_during_delivery_needs_owner_and_carrier(carrepsa):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga)
    act(karl, package, "acceptance")
    act(olga, package, "pickup")
    act(karl, package, "cancellation-request")
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))
    assert act(olga, package, "cancellation-request")["state"] == "cancelled"
    carrepsa.has(FULL, FULL)


def disputes(operator):
    return [one["id"] for one in operator.call("GET", "/carrepsa/disputes", expect=200)["items"]]


@pytest.mark.parametrize("outcome, owner, carrier", [
    ("delivered", -REWARD, REWARD), ("refunded", 0, 0), ("lost", LOCK, -LOCK)])
def test_operator_decides_a_dispute(carrepsa, outcome, owner, carrier):
    olga, karl, otto = carrepsa.add_person("Olga"), carrepsa.add_person("Karl"), carrepsa.add_person("Otto")
    carrepsa.operator(otto)
    package = post(olga)
    act(karl, package, "acceptance")
    act(olga, package, "pickup")
    act(otto, package, "decision", expect=409, body={"outcome": outcome, "note": "Too early."})
    act(karl, package, "delivery-report")
    act(olga, package, "dispute", body={"reason": "It never arrived."})
    act(olga, package, "decision", expect=403, body={"outcome": outcome})
    olga.call("GET", "/carrepsa/disputes", expect=403)
    assert package["id"] in disputes(otto)
    act(otto, package, "decision", expect=409, body={"outcome": outcome, "note": "Talked to one."})
    act(karl, package, "statements", body={"statement": "It is at the door."})
    act(otto, package, "decision", body={"outcome": outcome, "note": "Talked to both."})
    assert state(olga, package) == "travelling", "owner and carrier can appeal"
    act(karl, package, "decision/acceptance")
    act(olga, package, "decision/acceptance")
    assert state(olga, package) == ("delivered" if outcome == "delivered" else "cancelled")
    carrepsa.has((START + owner, 0), (START + carrier, 0), FULL)
    assert package["id"] not in disputes(otto)
