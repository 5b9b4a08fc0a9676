"""Short commands: what a person and a shell's completion wait for."""

from .timing import interleaved

TIMES = 20


def measure(subject):
    """Start-up, and commands that must not read the whole cache."""
    disk = subject.caches.another()
    root = disk.path / "cache"
    one = next((root / "objects/7f").iterdir()).name
    cachectl = [subject.cachectl, "--root", root]
    commands = {
        "nothing": [subject.tools / "nothing"],
        "version": [subject.cachectl, "--version"],
        "show": [*cachectl, "show", one],
        "ls": [*cachectl, "ls", "--limit", "100"],
    }
    jobs = [lambda words=words: subject.watch.run(words, times=TIMES) for words in commands.values()]
    taken = dict(zip(commands, interleaved(subject.runs, *jobs)))
    table, how = subject.table, f"median of {TIMES * subject.runs} starts"
    version = taken["version"].seconds
    nothing = taken["nothing"].seconds
    table.share("cachectl --version", version, nothing, 8, f"a C program that does nothing; {how}")
    where = f"of {subject.entries:,} entries"
    table.share(f"show, {where}", taken["show"].seconds, version, 5, f"cachectl --version; {how}")
    table.share(f"ls, first page {where}", taken["ls"].seconds, version, 5, f"cachectl --version; {how}")
    table.below(f"ls, first page {where}, memory", taken["ls"].peak, 16 << 20, "ru_maxrss")
    subject.machine.remove(disk)
