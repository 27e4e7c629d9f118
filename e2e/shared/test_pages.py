"""The HTTP responses of pages."""

import gzip

import pytest


@pytest.mark.parametrize("accepted, is_packed", [("gzip, br", True), ("identity", False), ("gzip;q=0", False)])
def test_pages_are_compressed_when_accepted(engine, server, accepted, is_packed):
    headers = {"Accept": "text/html", "Accept-Encoding": accepted}
    status, answered, content = server.request("GET", "/sign-in", headers=headers)
    assert status == 200
    assert (answered["Content-Encoding"] == "gzip") == is_packed
    assert "accept-encoding" in ", ".join(answered.get_all("Vary")).lower()
    page = gzip.decompress(content) if is_packed else content
    assert page.startswith(b"<!doctype html>") and page.rstrip().endswith(b"</html>")
    assert not is_packed or len(content) < len(page) / 2
