"""Small servers for tests, on loopback only."""

import contextlib
import http.server
import threading


@contextlib.contextmanager
def served(handler):
    """Serves a handler of `http.server` and yields its port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
