"""How gc and verify grow with the cache, and what they do where one is as large as memory can hold."""

from .gc import LIST, keep, pipeline
from .timing import interleaved


def cache(subject, entries):
    """Empty objects in memory: nothing but names and records."""
    made = subject.machine.tmpfs()
    subject.fill(made.path / "cache", entries, "0")
    return made


def decide(subject, root, entries):
    return subject.gc(root, "--max-count", entries - entries // 100, "--dry-run")


def measure(subject):
    """A tenth of the entries, and ten times as many, on tmpfs."""
    small, large = subject.entries // 10, subject.entries * 10
    few, many = cache(subject, small), cache(subject, large)
    a, b = interleaved(
        min(3, subject.runs), lambda: decide(subject, few.path / "cache", small),
        lambda: decide(subject, many.path / "cache", large))
    name = f"gc, deciding on 1 %, {large:,} entries, tmpfs"
    how = f"100 times gc on {small:,} entries: growth no worse than linear"
    subject.table.share(name, b.seconds, a.seconds * 100, 1, how)
    subject.machine.remove(few)
    root = many.path / "cache"
    listed = subject.watch.run(f"{LIST} >/dev/null", cwd=root)
    subject.table.faster("the same", b.seconds, listed.seconds, None, "find -printf, sort -n, one run")
    subject.table.below("the same, memory", b.peak, 128 << 20, "ru_maxrss")
    checked = subject.watch.run([subject.cachectl, "--root", root, "verify"])
    subject.table.below(f"verify, {large:,} entries, memory", checked.peak, 48 << 20, "ru_maxrss")
    remove(subject, root, large)
    subject.machine.remove(many)


def remove(subject, root, entries):
    """One run each: there is no room for a second cache of this size."""
    one, half = entries // 100, entries // 2
    table = subject.table
    ours = keep(subject, root, entries - one)
    theirs = pipeline(subject, root, one)
    name = f"gc, evicting 1 %, {entries:,} entries, tmpfs"
    table.faster(name, ours.seconds, theirs.seconds, None, "find -printf, sort -n, head, xargs rm, one run")
    left = entries - 2 * one
    ours = keep(subject, root, half)
    subject.expect_count(root / "objects", half)
    table.below(f"gc, memory, evicting {left - half:,} of {left:,}", ours.peak, 128 << 20, "ru_maxrss")
