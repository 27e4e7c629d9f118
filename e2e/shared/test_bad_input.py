"""No secret reaches the log."""

import time


def test_log_contains_no_secret(engine, person):
    someone = person()
    secret = someone.add_osmand_tracker(someone.add_item("Bag"))
    someone.server.request("GET", f"/ingest/osmand?id={secret}&lat=50&lon=6&timestamp={int(time.time())}")
    someone.server.request("POST", "/session", {"email": someone.email, "password": "wrong " + someone.password})
    log = someone.server.log_text()
    for word in (secret, someone.token, someone.password, someone.email):
        assert word not in log
