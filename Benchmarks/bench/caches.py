"""Equal caches to measure on: one is filled, and the others are copies of its file system."""

from .machine import quietly

# Small objects: what gc does depends on how many there are, and a million of these fit on a disk.
SIZES = "50-600"


def gibibytes(entries):
    """Room for that many small objects in blocks of 4 KiB, and inodes as mkfs counts them by default."""
    return max(1, entries * 16384 * 5 // 4 // 2**30 + 1)


class Caches:
    """Caches on file systems of their own, so that what one run removed is there for the next."""

    def __init__(self, subject):
        self.subject = subject
        self.pristine = subject.machine.ext4(gibibytes(subject.entries))
        subject.fill(self.pristine.path / "cache", subject.entries, SIZES)
        self.pristine.unmount()

    def another(self):
        """A mounted copy whose files the kernel has just walked, and whose records it has just read."""
        copy = self.subject.machine.ext4(pristine=self.pristine)
        self.subject.floor("scan", copy.path / "cache/objects", 2)
        quietly("sh", "-c", "cat manifests/*/*.jsonl >/dev/null", cwd=copy.path / "cache")
        return copy
