"""File systems of the benchmark's own, and the state of the machine's caches."""

import os
import shutil
import subprocess
from pathlib import Path


def quietly(*command, **options):
    """Runs a command that must succeed; its output is shown only when it does not."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


class FileSystem:
    """A mounted file system; `path` is where."""

    def __init__(self, path):
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self.is_mounted = False

    def mount(self, *arguments):
        quietly("mount", *arguments, self.path)
        self.is_mounted = True
        return self

    def unmount(self):
        if self.is_mounted:
            quietly("umount", self.path)
            self.is_mounted = False

    def remove(self):
        self.unmount()
        self.path.rmdir()


class Ext4(FileSystem):
    """ext4 with its default features, in a sparse file on a loop device."""

    def __init__(self, folder, name, gibibytes, pristine=None):
        """A new file system, or one that starts as the unmounted `pristine` is."""
        super().__init__(folder / name)
        self.image = folder / f"{name}.image"
        if pristine is None:
            quietly("truncate", "-s", f"{gibibytes}G", self.image)
            # Written now: the kernel would otherwise go on writing inode tables under the first measurements.
            written = "lazy_itable_init=0,lazy_journal_init=0"
            quietly("mkfs.ext4", "-q", "-E", written, self.image)
        else:
            quietly("cp", "--sparse=always", pristine.image, self.image)
        self.mount("-o", "loop", self.image)

    def remove(self):
        super().remove()
        self.image.unlink()


class Tmpfs(FileSystem):
    """A file system in memory, without a limit of its own on files."""

    def __init__(self, folder, name):
        super().__init__(folder / name)
        self.mount("-t", "tmpfs", "-o", "size=90%,nr_inodes=0", "tmpfs")


class Machine:
    """Makes file systems in a work folder, and leaves none behind."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.made = []
        self.count = 0

    def __enter__(self):
        # Open to the peers that give up root, wherever the repository lies.
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o755)
        return self

    def __exit__(self, *_):
        for one in reversed(self.made):
            one.remove()
        shutil.rmtree(self.folder)

    def ext4(self, gibibytes=0, pristine=None):
        self.count += 1
        return self._keep(Ext4(self.folder, f"ext4-{self.count}", gibibytes, pristine))

    def tmpfs(self):
        self.count += 1
        return self._keep(Tmpfs(self.folder, f"tmpfs-{self.count}"))

    def _keep(self, one):
        self.made.append(one)
        return one

    def remove(self, *ones):
        for one in ones:
            self.made.remove(one)
            one.remove()


def drop_caches():
    """Makes the next run read from the disk."""
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


def description():
    """What a reader of the figures has to know of this machine."""
    facts = Path("/proc/cpuinfo").read_text()
    model = next(line.split(":")[1].strip() for line in facts.splitlines() if line.startswith("model name"))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f"{os.cpu_count()} cores of {model}, {memory:.0f} GiB of memory, Linux {os.uname().release}"
