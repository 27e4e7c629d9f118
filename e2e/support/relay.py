"""The program that forwards the connections of a Network (network.py). It reads commands from its standard input, one
JSON array in each line, and ends with it."""

import asyncio
import contextlib
import json
import os
import random
import sys
from pathlib import Path

from support.network import OUTSIDE
from support.server import processes_in

CHUNK_BYTES = 64 * 1024
# Chunks that each direction of a connection holds until the relay stops reading from the sender.
WAITING_CHUNKS = 64


class Relay:
    def __init__(self):
        self.folders, self.servers, self.cuts, self.free_at = {}, [], set(), {}
        self.delay = self.jitter = self.bytes_per_second = 0
        self.changed = asyncio.Condition()

    async def add_part(self, name, folders):
        self.folders[name] = folders

    async def link(self, target, port, source):
        server = await asyncio.start_server(
            lambda *streams: self._serve(source, target, port, *streams), "127.0.0.1", 0, backlog=512)
        self.servers.append(server)
        return server.sockets[0].getsockname()[1]

    async def cut(self, pairs):
        async with self.changed:
            self.cuts = {tuple(pair) for pair in pairs}
            self.changed.notify_all()

    async def slow_down(self, speed):
        self.delay, self.jitter = speed["delay"], speed["jitter"]
        self.bytes_per_second, self.free_at = speed["bytes_per_second"], {}

    def _source(self, port):
        """Returns the part whose process has a connection from the local port."""
        socket = socket_of(port)
        return next((name for name, folders in self.folders.items() for folder in folders
                     for process in processes_in(folder) if has_open(process, socket)), OUTSIDE)

    async def _serve(self, source, target, port, reader, writer):
        source = source or self._source(writer.get_extra_info("peername")[1])
        with contextlib.suppress(OSError):
            await self._wait_until_whole(source, target)
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(self._forward((source, target), reader, far_writer),
                                 self._forward((target, source), far_reader, writer))
        writer.close()

    async def _forward(self, link, reader, writer):
        """Forwards bytes in one direction, in order. The end of the connection travels like bytes."""
        chunks = asyncio.Queue(WAITING_CHUNKS)
        await asyncio.gather(self._receive(link, reader, chunks), self._deliver(link, chunks, writer))

    async def _receive(self, link, reader, chunks):
        loop, due, chunk = asyncio.get_running_loop(), 0, b"-"
        while chunk:
            try:
                chunk = await reader.read(CHUNK_BYTES)
            except OSError:
                chunk = b""
            at = loop.time()
            if self.bytes_per_second:
                at = self.free_at[link] = max(at, self.free_at.get(link, 0)) + len(chunk) / self.bytes_per_second
            due = max(due, at + self.delay + random.uniform(0, self.jitter))
            await chunks.put((due, chunk))

    async def _deliver(self, link, chunks, writer):
        loop, chunk = asyncio.get_running_loop(), b"-"
        while chunk:
            due, chunk = await chunks.get()
            if (wait := due - loop.time()) > 0:
                await asyncio.sleep(wait)
            await self._wait_until_whole(*link)
            if not chunk:
                writer.close()
            elif not writer.is_closing():
                # If the receiver has gone, the other direction ends too, and then this one.
                with contextlib.suppress(OSError):
                    writer.write(chunk)
                    await writer.drain()

    async def _wait_until_whole(self, *link):
        if link in self.cuts:
            async with self.changed:
                await self.changed.wait_for(lambda: link not in self.cuts)


def socket_of(port):
    """Returns the kernel's name of the socket that sends from a port of 127.0.0.1."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1] == f"0100007F:{port:04X}":
            return f"socket:[{fields[9]}]"
    return None


def has_open(process, file):
    # The process, or its file, may have ended.
    with contextlib.suppress(OSError):
        for descriptor in os.scandir(f"/proc/{process}/fd"):
            with contextlib.suppress(OSError):
                if os.readlink(descriptor.path) == file:
                    return True
    return False


async def main():
    relay, commands = Relay(), asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := await commands.readline():
        name, *arguments = json.loads(line)
        print(json.dumps(await getattr(relay, name)(*arguments)), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
