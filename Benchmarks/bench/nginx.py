"""A real nginx on loopback that serves images over HTTP/1.1, and over HTTPS with HTTP/2."""

import os
import subprocess

from .machine import quietly
from .ports import wait_for_port

PORT = 18090
SECURE_PORT = 18443

# One worker: the other processor is the client's. Everything it serves is stale at once, so that each run asks
# about all of it again.
CONFIGURATION = """
daemon off;
user {user};
worker_processes 1;
pid {folder}/pid;
error_log {folder}/errors;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  types {{ image/gif gif; }}
  open_file_cache max=20000;
  keepalive_requests 1000000;
  http2_max_requests 1000000;
  client_body_temp_path {folder}/temporary;
  add_header Cache-Control max-age=0 always;
  server {{
    listen 127.0.0.1:{port} backlog=1024;
    listen 127.0.0.1:{secure} ssl http2 backlog=1024;
    server_name localhost;
    ssl_certificate {folder}/certificate;
    ssl_certificate_key {folder}/key;
    root {folder}/images;
  }}
}}
"""


def gif(number):
    """A whole image of one pixel whose comment makes it differ from all others."""
    comment = f"picture {number} ".ljust(200, ".").encode()
    head = b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
    picture = bytes([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B])
    return head + bytes([0x21, 0xFE, len(comment)]) + comment + b"\0" + picture


class Origin:
    """The server with `count` images, while the `with` block runs."""

    def __init__(self, folder, count):
        self.folder, self.count = folder, count
        self.certificate = folder / "certificate"
        (folder / "images").mkdir(parents=True)
        for number in range(count):
            (folder / "images" / f"{number}.gif").write_bytes(gif(number))
        subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        quietly("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-keyout", folder / "key", "-out", self.certificate, *subject)
        text = CONFIGURATION.format(folder=folder, user="root", port=PORT, secure=SECURE_PORT)
        (folder / "configuration").write_text(text)

    def __enter__(self):
        words = ["nginx", "-c", self.folder / "configuration", "-e", self.folder / "errors"]
        path = os.environ["PATH"] + ":/usr/sbin"
        self.server = subprocess.Popen(words, stderr=subprocess.DEVNULL, env=os.environ | {"PATH": path})
        wait_for_port(PORT, "nginx")
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def urls(self, is_secure):
        host = f"https://127.0.0.1:{SECURE_PORT}" if is_secure else f"http://127.0.0.1:{PORT}"
        return [f"{host}/{number}.gif" for number in range(self.count)]

    def etag(self, number):
        """nginx's own: time and length in hexadecimal."""
        status = (self.folder / "images" / f"{number}.gif").stat()
        return f'"{int(status.st_mtime):x}-{status.st_size:x}"'
