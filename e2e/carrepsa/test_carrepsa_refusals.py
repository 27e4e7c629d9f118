"""Simultaneous requests in Carrepsa. With `ROUNDS` above 2 (make soak), 100 clients act at once."""

import os
import threading

import pytest

from support.carrepsa import LOCK, REWARD, START, act, listed, post

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


@pytest.mark.engines
def test_funds_for_one_request_pay_for_exactly_one(carrepsa):
    olga = carrepsa.add_person("Olga")
    body = {"title": "Piano", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": START // 2 + 1, "moneyLock": LOCK}
    statuses, answers = at_once([(olga, "POST", "/carrepsa/packages", body)] * CROWD)
    assert sorted(statuses) == [201] + [409] * (CROWD - 1)
    assert {answer["error"]["code"] for answer in answers if "error" in answer} == {"insufficient_funds"}
    assert listed(olga, role="owner") == ["Piano"]
    carrepsa.has((START // 2 - 1, START // 2 + 1))


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
