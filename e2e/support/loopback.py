"""Small servers for tests, on loopback only."""

import contextlib
import http.server
import json
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


class JSONService:
    """Passes each GET request to `respond`, which responds with `send`."""

    def __init__(self):
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                service.respond(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def send_head(request, status, length):
        request.send_response(status)
        request.send_header("Content-Type", "application/json; charset=utf-8")
        request.send_header("Content-Length", str(length))
        request.end_headers()

    def send(self, request, status, body):
        content = json.dumps(body).encode()
        self.send_head(request, status, len(content))
        request.wfile.write(content)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
