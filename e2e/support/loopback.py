"""Small servers of the tests' own, on this computer alone."""

import contextlib
import http.server
import threading


@contextlib.contextmanager
def served(handler):
    """The port at which a handler of `http.server` answers."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
