"""gc beside what ops staff type today, and beside the bare system calls."""

from .machine import drop_caches
from .timing import interleaved

# As many as gc removes with: removal waits for the disk, not for a core.
REMOVERS = 16
LIST = "find objects -type f -printf '%T@ %p\\n' | sort -n"


def keep(subject, root, count):
    """Evicts down to `count` entries."""
    return subject.gc(root, "--max-count", count)


def pipeline(subject, root, victims):
    """Removes the oldest files the way a cron job does."""
    return subject.watch.run(f"{LIST} | head -n {victims} | cut -d' ' -f2- | xargs rm", cwd=root)


def decide(subject, caches):
    """Choosing what to evict, without evicting it."""
    root = caches.path / "cache"
    kept = subject.entries - subject.entries // 100
    ours = lambda: subject.gc(root, "--max-count", kept, "--dry-run")
    listed = lambda: subject.watch.run(f"{LIST} >/dev/null", cwd=root)
    scan = lambda: subject.floor("scan", root / "objects", 2)
    table, n = subject.table, f"{subject.entries:,} entries, ext4"
    a, b, c = interleaved(subject.runs, ours, listed, scan)
    table.faster(f"gc, deciding on 1 %, {n}, warm", a.seconds, b.seconds, 15, "find -printf, sort -n")
    table.share("the same", a.seconds, c.seconds, 0.25, "floor scan, 2 threads: stat of every file")
    table.below("the same, memory", a.peak, 64 << 20, "ru_maxrss")
    a, b = interleaved(subject.runs, ours, listed, before=drop_caches)
    table.faster(f"gc, deciding on 1 %, {n}, cold", a.seconds, b.seconds, 8, "find -printf, sort -n, drop_caches")
    foreign(subject, root, ours, listed)


def foreign(subject, root, ours, listed):
    """The same after a program that knows no witness stored something in every shard."""
    warm, _ = interleaved(subject.runs, ours, listed)
    for number, shard in enumerate(sorted((root / "objects").iterdir())):
        (shard / (shard.name + f"{number:062x}")).write_bytes(b"foreign")
    after, listing = interleaved(subject.runs, ours, listed)
    name = "gc, deciding, a foreign writer in every shard"
    subject.table.faster(name, after.seconds, listing.seconds, None, "find -printf, sort -n")
    subject.table.share("the same", after.seconds, warm.seconds, None, "gc with its witnesses whole")


def evict(subject, ours, theirs, share, times):
    """Whole runs that evict a share of the cache each, one after the other on the same two caches."""
    mine, other = ours.path / "cache", theirs.path / "cache"
    victims = max(1, int(subject.entries * share))

    def gc():
        left = subject.count(mine / "objects") - victims
        result = keep(subject, mine, left)
        subject.expect_count(mine / "objects", left)
        return result

    a, b = interleaved(subject.runs, gc, lambda: pipeline(subject, other, victims))
    name = f"gc, evicting {share:.1%}, {subject.entries:,} entries, ext4"
    subject.table.faster(name, a.seconds, b.seconds, times, "find -printf, sort -n, head, xargs rm")
    subject.table.below("the same, memory", a.peak, 64 << 20, "ru_maxrss")


def halve(subject):
    """Evicting half, beside nothing but the unlinks, and beside the pipeline."""
    half = subject.entries // 2

    def on_a_copy(job, expected=subject.entries - half):
        copy = subject.caches.another()
        result = job(copy.path / "cache")
        if expected:
            subject.expect_count(copy.path / "cache/objects", expected)
        subject.machine.remove(copy)
        return result

    def floor(*arguments):
        return lambda root: subject.floor("unlink", root / "objects", REMOVERS, half, *arguments)

    ours, walk, spread, listed = interleaved(
        min(3, subject.runs),
        lambda: on_a_copy(lambda root: keep(subject, root, subject.entries - half)),
        lambda: on_a_copy(floor()),
        # Threads round up in every shard that they finish, so it is half only nearly.
        lambda: on_a_copy(floor(2), expected=None),
        lambda: on_a_copy(lambda root: pipeline(subject, root, half)))
    table, how = subject.table, f"floor unlink, {REMOVERS} threads"
    table.share(f"gc, evicting 50 %, {subject.entries:,} entries, ext4", ours.seconds, walk.seconds, 1.25, how)
    table.share("the same", ours.seconds, spread.seconds, None, f"{how}, every second name, as victims lie")
    table.faster("the same", ours.seconds, listed.seconds, None, "find -printf, sort -n, head, xargs rm")


def measure(subject):
    """All of gc on ext4."""
    ours, theirs = subject.caches.another(), subject.caches.another()
    evict(subject, ours, theirs, 0.001, 12)
    evict(subject, ours, theirs, 0.01, 5)
    subject.machine.remove(ours, theirs)
    halve(subject)
    ours = subject.caches.another()
    decide(subject, ours)
    subject.machine.remove(ours)
