"""verify beside the tool that computes the same hash, the bare reads, and npm's own verify."""

import subprocess

from .machine import drop_caches, quietly
from .timing import interleaved

THREADS = 2
DEEP_QUEUES = (2, 8, 32)


class Images:
    """A cache of `count` images of `size` bytes, and the list of sums that xxhsum checks."""

    def __init__(self, subject, count, size):
        self.subject, self.count, self.size = subject, count, size
        # And for npm's copies beside them.
        room = max(1, count * (size + 16384) * 3 // 2**30 + 1)
        self.disk = subject.machine.ext4(room)
        self.root = self.disk.path / "cache"
        subject.fill(self.root, count, f"{size}")
        self.sums = self.disk.path / "sums"
        list_sums = f"find objects -type f | xargs xxhsum -H2 2>/dev/null >{self.sums}"
        quietly("sh", "-c", list_sums, cwd=self.root)
        self.name = f"verify, {count:,} × {size:,} bytes"

    def verify(self):
        return self.subject.watch.run([self.subject.cachectl, "--root", self.root, "verify"])

    def xxhsum(self):
        words = ["xxhsum", "-H2", "--quiet", "-c", self.sums]
        return self.subject.watch.run(words, cwd=self.root)

    def floor(self, threads):
        return self.subject.floor("read", self.root / "objects", threads)

    def warm(self, share_of_xxhsum, share_of_floor):
        """Rows of what is in memory already."""
        jobs = [self.verify, self.xxhsum] + ([lambda: self.floor(THREADS)] if share_of_floor else [])
        ours, sums, *rest = interleaved(self.subject.runs, *jobs)
        table = self.subject.table
        table.share(f"{self.name}, warm", ours.seconds, sums.seconds, share_of_xxhsum, "xxhsum -H2 -c")
        for floor in rest:
            how = f"floor read, {THREADS} threads"
            table.share("the same", ours.seconds, floor.seconds, share_of_floor, how)
        table.below("the same, memory", ours.peak, 48 << 20, "ru_maxrss")

    def cold(self):
        """The row of what has to come from the disk: beside the best queue depth."""
        floors = [lambda n=n: self.floor(n) for n in DEEP_QUEUES]
        ours, *rest = interleaved(self.subject.runs, self.verify, *floors, before=drop_caches)
        best, threads = min((one.seconds, n) for one, n in zip(rest, DEEP_QUEUES))
        how = f"floor read, best of {DEEP_QUEUES} threads: {threads}; drop_caches"
        self.subject.table.share(f"{self.name}, cold", ours.seconds, best, 1.1, how)

    def remove(self):
        self.subject.machine.remove(self.disk)


STORE_AND_VERIFY = """
const [cacache, root, count, size] = [require(process.argv[1]), ...process.argv.slice(2)];
const body = Buffer.alloc(Number(size));
const store = async i => { body.writeUInt32LE(i, 0); await cacache.put(root, 'key' + i, body); };
const fill = async () => { for (let i = 0; i < count; i++) await store(i); };
const check = async () => {
  const start = process.hrtime.bigint();
  await cacache.verify(root);
  console.log('seconds=' + Number(process.hrtime.bigint() - start) / 1e9);
};
fill().then(check);
"""


def npm(images):
    """npm's verify of as many bodies, measured inside node so that its start does not count."""
    table, name = images.subject.table, f"{images.name}, beside npm"
    try:
        globally = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        return table.missing(name, "npm is not installed")
    library = f"{globally}/npm/node_modules/cacache"
    root = images.disk.path / "npm"
    words = ["node", "-e", STORE_AND_VERIFY, library, root, images.count, images.size]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        reason = next((line for line in done.stderr.splitlines() if "Error" in line), "node failed")
        return table.missing(name, reason)
    seconds = float(done.stdout.split("seconds=")[1])
    ours = images.verify()
    return table.faster(name, ours.seconds, seconds, 1, "cacache.verify, one run, warm")


def measure(subject):
    """Images of the usual size, small ones, and a single large one."""
    usual = Images(subject, subject.scaled(20_000), 50_000)
    usual.warm(0.7, 1.15)
    usual.cold()
    npm(usual)
    usual.remove()
    small = Images(subject, subject.scaled(200_000), 4_000)
    small.warm(0.5, 1.15)
    small.remove()
    large = Images(subject, 1, subject.scaled(4 << 30))
    large.warm(1.1, None)
    large.remove()
