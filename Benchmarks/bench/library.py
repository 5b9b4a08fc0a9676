"""The library: memory, one entry from disk, a page of a listing, and caches of other languages on the same keys."""

import shutil
import subprocess
import sys
from pathlib import Path

from .timing import Measured, interleaved, own_seconds

BODY = 4096
NODE = Path(__file__).with_name("cacache.js")


def measure(subject):
    memory(subject)
    disk = subject.machine.ext4(8)
    root = disk.path / "cache"
    files = subject.scaled(100_000, 2_000)
    subject.fill(root, files, BODY)
    get(subject, root, files)
    pages(subject, disk.path)
    peers(subject, disk.path)
    subject.machine.remove(disk)


def loop(subject, *words):
    """A loop of the tool, by the time that it measured itself."""
    result = subject.watch.run([subject.filler, *words])
    return Measured(own_seconds(result.output), result.peak, result.output)


def memory(subject):
    """Hits in memory, as nanoseconds each: from one thread, and from two on one cache."""
    one, two = interleaved(
        subject.runs, lambda: loop(subject, "memory", 1, 10_000), lambda: loop(subject, "memory", 2, 10_000))
    rate = 5_000_000 / one.seconds
    subject.table.faster("memory hits, one thread, 5,000,000", one.seconds, 1, 1, f"{rate / 1e6:.1f} million a second; target 5")
    subject.table.faster(
        "memory hits, two threads, 10,000,000", two.seconds, 2 * one.seconds, 1, "one thread, twice as many: no collapse")


def get(subject, root, files):
    """The library's get and the bare calls, on the same entries in the same order, warm."""
    ours, floor = interleaved(
        subject.runs, lambda: loop(subject, "get", root, files), lambda: loop(subject, "open", root, files))
    subject.table.share(
        f"get, library, {files:,} × {BODY} bytes", ours.seconds, floor.seconds, 1.5, "open, fstat, read, close by known paths")


def pages(subject, folder):
    """The first twenty entries and their records, of all and of a thousand."""
    small = folder / "thousand"
    subject.fill(small, 1000, "50-600")
    whole = subject.caches.another()
    many, few = interleaved(
        subject.runs, lambda: loop(subject, "page", whole.path / "cache", 20), lambda: loop(subject, "page", small, 20))
    subject.table.share(
        f"first page of {subject.entries:,} entries", many.seconds, few.seconds, 5, "first page of a thousand, by the library")
    subject.machine.remove(whole)


def peers(subject, folder):
    """put and get of as many entries, each in a process of its own language; its start is not counted."""
    count = subject.scaled(20_000, 1_000)
    names = [("diskcache (PyPI)", [sys.executable, "-c", DISKCACHE])]
    if shutil.which("node"):
        names.append(("cacache (npm)", ["node", NODE]))
    for name, words in names:
        try:
            peer(subject, folder, name, words, count)
        except subprocess.CalledProcessError as error:
            subject.table.missing(name, f"it is not installed: {error.stderr.strip().splitlines()[-1]}")


def peer(subject, folder, name, words, count):
    """Takes turns with a peer, on new folders each time."""
    taken = {"put": ([], []), "get": ([], [])}
    in_memory = []
    for _ in range(subject.runs):
        ours, theirs = folder / "ours", folder / "theirs"
        taken["put"][0].append(loop(subject, "put", ours, count, BODY).seconds)
        taken["get"][0].append(loop(subject, "get", ours, count).seconds)
        done = subprocess.run(
            [*map(str, words), str(theirs), str(count), str(BODY)], capture_output=True, text=True, check=True)
        for job in taken:
            taken[job][1].append(float(done.stdout.split(f"{job}=")[1].split()[0]))
        shutil.rmtree(ours)
        reading = subject.watch.run([subject.filler, "image", ours, count])
        in_memory.append(float(reading.output.split("memory=")[1].split()[0]))
        for root in (ours, theirs):
            shutil.rmtree(root)
    for job, (own, other) in taken.items():
        middle = len(own) // 2
        subject.table.faster(
            f"{job}, {count:,} × {BODY} bytes, disk alone", sorted(own)[middle], sorted(other)[middle], 5, name)
    _, other = taken["get"]
    middle = len(in_memory) // 2
    subject.table.faster(
        f"image(for:), {count:,} × {BODY} bytes, read a second time, from memory", sorted(in_memory)[middle],
        sorted(other)[middle], 5, f"get of {name}")


DISKCACHE = """
import sys, time, diskcache
folder, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
cache = diskcache.Cache(folder)
keys = [f"https://img.example/gallery/{n // 1000}/picture-{n}.jpg?w=640&q=80" for n in range(count)]
bodies = [n.to_bytes(8, "little") + bytes(size - 8) for n in range(count)]
start = time.perf_counter()
for key, body in zip(keys, bodies): cache[key] = body
put = time.perf_counter() - start
start = time.perf_counter()
for key, body in zip(keys, bodies): assert cache[key] == body
print(f"put={put} get={time.perf_counter() - start}")
"""
