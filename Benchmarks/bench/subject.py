"""What is measured, how large, and where the results go: handed to every group of measurements."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .caches import Caches
from .machine import Machine, quietly
from .table import Table
from .timing import Stopwatch

SEED = 20251130


@dataclass
class Subject:
    cachectl: Path
    filler: Path
    tools: Path
    entries: int
    runs: int
    machine: Machine
    watch: Stopwatch
    table: Table

    def scaled(self, full, least=1):
        """A count that is `full` in a benchmark of a million entries."""
        return max(least, full * self.entries // 1_000_000)

    @cached_property
    def caches(self):
        """The cache of all the entries, in as many copies as are needed."""
        return Caches(self)

    def fill(self, root, count, sizes):
        """Makes a cache of `count` entries of `sizes` bytes (`50-600`), used over the last 30 days."""
        quietly(self.filler, "fill", root, count, sizes, SEED)

    def floor(self, job, folder, *arguments):
        """One run of the bare system calls of a job."""
        return self.watch.run([self.tools / "floor", job, folder, *arguments])

    def gc(self, root, *options):
        """One run of gc; not one that missed its budget."""
        return self.watch.run([self.cachectl, "--root", root, "gc", *options])

    def count(self, folder):
        """How many files the shards below `folder` hold."""
        return int(self.floor("names", folder, 2).output.split("files=")[1].split()[0])

    def expect_count(self, folder, expected):
        """Ends the benchmark where a run did not leave what it should have."""
        if (found := self.count(folder)) != expected:
            raise SystemExit(f"{folder} holds {found} files and should hold {expected}")
