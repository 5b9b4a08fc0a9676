"""A real cache of Apache's mod_cache_disk, filled by requests on loopback, and htcacheclean on it."""

import subprocess

from .machine import quietly
from .ports import wait_for_port

CONFIGURATION = """
ServerRoot {folder}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/errors
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule alias_module {modules}/mod_alias.so
LoadModule cache_module {modules}/mod_cache.so
LoadModule cache_disk_module {modules}/mod_cache_disk.so
User {user}
Group {user}
DocumentRoot {folder}
AliasMatch "^/image/" "{folder}/image"
CacheRoot {root}
CacheEnable disk /
CacheDefaultExpire 86400
MaxKeepAliveRequests 0
"""
MODULES = "/usr/lib/apache2/modules"
PORT = 18089


def fill(folder, root, entries):
    """Asks a caching server for `entries` URLs, of a few hundred bytes each."""
    folder.mkdir()
    root.mkdir()
    (folder / "image").write_bytes(b"x" * 325)
    text = CONFIGURATION.format(folder=folder, root=root, port=PORT, modules=MODULES, user="nobody")
    (folder / "configuration").write_text(text.replace("Group nobody", "Group nogroup"))
    # The server's workers give up root: all folders on the way must be open to them.
    quietly("chown", "nobody:nogroup", root, folder)
    server = subprocess.Popen(
        ["apache2", "-f", folder / "configuration", "-D", "FOREGROUND"], stderr=subprocess.DEVNULL)
    try:
        wait_for_port(PORT, "apache2")
        url = f"http://127.0.0.1:{PORT}/image/[1-{entries}]"
        quietly("curl", "--silent", "--show-error", "--fail", "--output", "/dev/null", url)
    finally:
        server.terminate()
        server.wait()


def bodies(root):
    """How many bodies the cache holds."""
    return int(quietly("sh", "-c", "find . -name '*.data' | wc -l", cwd=root))


def total(root):
    """The bytes of all its files, as htcacheclean counts them."""
    return int(quietly("sh", "-c", "find . -type f -printf '%s\\n' | awk '{n += $1} END {print n}'", cwd=root))
