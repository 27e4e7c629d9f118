"""A server's clock, moved by moving what is in its store."""

import sqlite3


class StoredClock:
    """Of a server with SQLite."""

    def __init__(self, server):
        self.path = server.folder / "data" / "homeward.sqlite"

    def _change(self, statement, *values):
        connection = sqlite3.connect(self.path, timeout=10)
        try:
            with connection:
                return connection.execute(statement, values).rowcount
        finally:
            connection.close()
