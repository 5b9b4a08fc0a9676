"""revalidate beside curl on the same list, and how soon the stale ones of a large cache are found."""

import json

from . import nginx
from .machine import quietly
from .timing import interleaved

# Not fewer in a small benchmark: starting and looking through 256 shards would be most of what is measured.
ASKED = 10_000
CONNECTIONS = 50
MEMORY = 64 << 20


class Asked:
    """A cache of all the origin's images over one protocol, and the same list for curl."""

    def __init__(self, subject, origin, folder, is_secure):
        self.subject, self.origin, self.is_secure = subject, origin, is_secure
        self.root = folder / ("cache-2" if is_secure else "cache-1")
        self.list = folder / ("list-2" if is_secure else "list-1")
        self.name = f"revalidate, {origin.count:,} answers of 304, HTTP/{2 if is_secure else '1.1'}"
        urls = origin.urls(is_secure)
        self.list.write_text("next\n".join(self.operation(number, url) for number, url in enumerate(urls)))
        quietly(subject.cachectl, "init", self.root)
        for start in range(0, len(urls), 1000):
            self.cachectl("fetch", *urls[start:start + 1000])

    def operation(self, number, url):
        """curl's options for one URL; it takes them anew for each."""
        validator = json.dumps(f"If-None-Match: {self.origin.etag(number)}")
        security = f'cacert = "{self.origin.certificate}"\n' if self.is_secure else ""
        return f'url = "{url}"\nheader = {validator}\noutput = /dev/null\nsilent\nshow-error\nfail\n{security}'

    def cachectl(self, command, *words):
        reach = ["--allow-net", "127.0.0.1", "--ca-bundle", self.origin.certificate]
        limits = ["--jobs", str(CONNECTIONS), "--per-host", str(CONNECTIONS)]
        return self.subject.watch.run(
            [self.subject.cachectl, "--root", self.root, "--json", command, *reach, *limits, *words])

    def revalidate(self):
        done = self.cachectl("revalidate")
        report = json.loads(done.output)
        if (report["asked"], report["not_modified"]) != (self.origin.count,) * 2:
            raise SystemExit(f"revalidate asked {report['asked']}, {report['not_modified']} times 304")
        return done

    def curl(self):
        parallel = ["--parallel", "--parallel-max", str(CONNECTIONS)]
        return self.subject.watch.run(["curl", *parallel, "--config", self.list])

    def measure(self):
        ours, curl = interleaved(self.subject.runs, self.revalidate, self.curl)
        how = f"curl --parallel-max {CONNECTIONS}, which records nothing"
        self.subject.table.share(self.name, ours.seconds, curl.seconds, 1, f"{how}; nginx on loopback")
        self.subject.table.share("the same, processor time", ours.processor, curl.processor, None, "user and system")
        self.subject.table.below("the same, memory", ours.peak, MEMORY, "ru_maxrss")


def choose(subject):
    """The stale ones of all the entries: one in a thousand."""
    disk = subject.caches.another()
    words = [subject.cachectl, "--root", disk.path / "cache", "--json", "revalidate", "--dry-run"]
    (ours,) = interleaved(subject.runs, lambda: subject.watch.run(words))
    stale = len(json.loads(ours.output)["entries"])
    name = f"revalidate --dry-run, {stale:,} stale of {subject.entries:,}"
    subject.table.within(name, ours.seconds, 1, "the whole process, warm")
    subject.table.below("the same, memory", ours.peak, MEMORY, "ru_maxrss")
    subject.machine.remove(disk)


def measure(subject):
    """304s over both protocols, then the choice among many."""
    disk = subject.machine.tmpfs()
    with nginx.Origin(disk.path / "origin", ASKED) as origin:
        for is_secure in (False, True):
            Asked(subject, origin, disk.path, is_secure).measure()
    subject.machine.remove(disk)
    choose(subject)
