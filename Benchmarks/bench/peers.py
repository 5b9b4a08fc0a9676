"""Other caches' own cleaners, on caches of as many entries as cachectl's beside them."""

import hashlib
import shutil

from . import apache
from .caches import SIZES, gibibytes
from .gc import keep
from .machine import quietly

SHARES = (0.01, 0.5)


def measure(subject):
    """htcacheclean and ccache -c, evicting 1 % and then half."""
    # Apache fills some thousand entries a second, and htcacheclean takes n² for half of them.
    entries = min(100_000, subject.scaled(100_000))
    beside(subject, entries, "htcacheclean, filled by Apache", ApacheCache)
    beside(subject, subject.entries, "ccache -c, copies of a real result", CompilerCache)


def beside(subject, entries, how, peer_kind):
    """The same shares of equally many entries, both on one ext4."""
    disk = subject.machine.ext4(gibibytes(entries) * 3)
    root = disk.path / "cache"
    subject.fill(root, entries, SIZES)
    peer = peer_kind(subject, disk.path, entries)
    left = entries
    for share in SHARES:
        left = int(left * (1 - share))
        ours = keep(subject, root, left)
        theirs = peer.keep(left)
        name = f"gc, evicting {share:.0%}, {entries:,} entries, ext4"
        subject.table.faster(name, ours.seconds, theirs.seconds, 1, f"{how}; it kept {peer.kept():,} of {left:,}")
    subject.machine.remove(disk)


class ApacheCache:
    def __init__(self, subject, folder, entries):
        self.watch, self.root = subject.watch, folder / "apache-cache"
        apache.fill(folder / "apache", self.root, entries)
        self.bytes_an_entry = apache.total(self.root) / apache.bodies(self.root)

    def keep(self, entries):
        limit = f"-l{int(self.bytes_an_entry * entries)}B"
        return self.watch.run(["htcacheclean", "-t", f"-p{self.root}", limit])

    def kept(self):
        return apache.bodies(self.root)


class CompilerCache:
    """One real compilation's result under as many names as the cache is to have entries."""

    def __init__(self, subject, folder, entries):
        self.watch, self.root = subject.watch, folder / "ccache"
        self.environment = ["env", f"CCACHE_DIR={self.root}", "ccache"]
        (folder / "one.c").write_text("int one(void) { return 1; }\n")
        quietly(*self.environment, "gcc", "-c", "one.c", "-o", "one.o", cwd=folder)
        result = next(path for path in self.root.rglob("*R") if path.is_file())
        for number in range(entries):
            name = hashlib.sha256(b"%d" % number).hexdigest()[:32]
            shard = self.root / name[0] / name[1]
            shard.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(result, shard / (name[2:] + "R"))

    def keep(self, entries):
        return self.watch.run([*self.environment, "--max-size", "0", "--max-files", entries, "--cleanup"])

    def kept(self):
        return int(quietly("sh", "-c", "find . -name '*R' -type f | wc -l", cwd=self.root))
