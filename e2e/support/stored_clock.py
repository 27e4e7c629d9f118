"""A server's clock, advanced by changing the stored times."""

import sqlite3


class StoredClock:
    """The clock of a server on SQLite."""

    def __init__(self, server):
        self.path = server.folder / "data" / "homeward.sqlite"

    def _change(self, statement, *values):
        connection = sqlite3.connect(self.path, timeout=10)
        try:
            with connection:
                return connection.execute(statement, values).rowcount
        finally:
            connection.close()
