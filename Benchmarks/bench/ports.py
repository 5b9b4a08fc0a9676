"""Waiting for a server of the benchmark's own."""

import socket
import time


def wait_for_port(port, server):
    """Until the server takes connections; ten seconds at most."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"{server} did not start")
