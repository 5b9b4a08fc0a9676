"""Storing, importing, and reading while gc evicts."""

import shutil
import subprocess
import time
from itertools import count
from pathlib import Path

from .gc import keep
from .machine import quietly
from .timing import Measured, interleaved, own_seconds

ICONS = Path("/usr/share/icons/oxygen")
BODY = 4096


def measure(subject):
    """put and import on one file system, a reader beside gc on another."""
    disk = subject.machine.ext4(8)
    put(subject, disk.path)
    imports(subject, disk.path)
    subject.machine.remove(disk)
    reader(subject)


def put(subject, folder):
    """The library's put in a loop, beside open, write, close and rename."""
    images, number = subject.scaled(100_000, 10_000), count()

    def new(job):
        root = folder / f"put-{next(number)}"
        root.mkdir()
        result = job(root)
        shutil.rmtree(root)
        return Measured(own_seconds(result.output), result.peak)

    def ours(root):
        return subject.watch.run([subject.filler, "put", root, images, BODY])

    def floor(root):
        return subject.floor("put", root, images, BODY)

    a, b = interleaved(subject.runs, lambda: new(ours), lambda: new(floor))
    name = f"put, library, {images:,} × {BODY} bytes, not durable"
    subject.table.share(name, a.seconds, b.seconds, 2.5, "floor put: open, write, close, rename; without start-up")


def imports(subject, folder):
    """A real tree of images, without its links, beside cp -r."""
    tree, number = folder / "tree", count()
    tree.mkdir()
    quietly("sh", "-c", f"find . -type f -name '*.png' | cpio --quiet -pdm {tree}", cwd=ICONS)
    files = int(quietly("sh", "-c", "find . -type f | wc -l", cwd=tree))

    def ours():
        root = folder / f"import-{next(number)}"
        quietly(subject.cachectl, "init", root)
        words = [subject.cachectl, "--root", root, "import", tree, "--base-url", "https://img.example/"]
        result = subject.watch.run(words)
        subject.expect_count(root / "objects", files)
        return result

    def copy():
        return subject.watch.run(["cp", "-r", tree, folder / f"copy-{next(number)}"])

    a, b = interleaved(subject.runs, ours, copy)
    subject.table.share(f"import, {files:,} icons", a.seconds, b.seconds, 2, "cp -r of the same tree")


class Reader:
    """A process that reads random entries through the library until it is told to stop."""

    def __init__(self, subject, root):
        words = [subject.filler, "read", root, str(subject.entries)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def stop(self):
        output, _ = self.process.communicate()
        return float(output.split("p99=")[1].split()[0])


def reader(subject):
    """The 99th percentile of a read, without gc and while gc evicts half."""
    def with_gc(is_warm):
        copy = subject.caches.another()
        root = copy.path / "cache"
        if is_warm:
            subject.floor("read", root / "objects", 2)
        # One walk over the records first, as a reader that has been running has made.
        alone = Reader(subject, root)
        time.sleep(2)
        quiet = alone.stop()
        beside = Reader(subject, root)
        keep(subject, root, subject.entries // 2)
        busy = beside.stop()
        subject.machine.remove(copy)
        return quiet, busy

    def compare(state, is_warm, limit):
        taken = [with_gc(is_warm) for _ in range(min(3, subject.runs))]
        quiet, busy = (sorted(column)[len(taken) // 2] for column in zip(*taken))
        name = f"a reader's 99th percentile while gc evicts half, {subject.entries:,} entries, {state}"
        subject.table.share(name, busy, quiet, limit, "the same reader without gc, on the same cache")

    compare("images in memory", True, 2)
    # Each of these reads waits for the disk that gc's journal is written to.
    compare("images on the disk", False, None)
