"""Running commands and taking the median of what they took."""

import os
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Measured:
    """Medians over the runs of one command; the memory is the most of any run."""

    seconds: float
    peak: int
    output: str = ""
    processor: float = 0


class Stopwatch:
    """Measures whole processes through measure.c."""

    def __init__(self, tools):
        self.launcher = tools / "measure"
        self.figures = tools / f"figures.{os.getpid()}"

    def run(self, command, times=1, cwd=None, allowed=(0,)):
        """Runs a list of words, or a shell's text; an unexpected status ends the benchmark."""
        words = ["sh", "-c", command] if isinstance(command, str) else command
        words = [str(word) for word in words]
        done = subprocess.run(
            [self.launcher, self.figures, str(times), *words], cwd=cwd, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
            env=os.environ | {"LC_ALL": "C"})
        if done.returncode not in allowed:
            raise SystemExit(f"{' '.join(words)}: status {done.returncode}: {done.stderr[-2000:]}")
        lines = [line.split() for line in Path(self.figures).read_text().splitlines()]
        seconds = statistics.median(float(line[0]) for line in lines)
        processor = statistics.median(float(line[1]) + float(line[2]) for line in lines)
        return Measured(seconds, max(int(line[3]) for line in lines) * 1024, done.stdout, processor)


def interleaved(runs, *jobs, before=None):
    """Takes turns, A B A B, so that a slow minute of the machine hits both; the medians of each."""
    results = [[] for _ in jobs]
    for _ in range(runs):
        for job, taken in zip(jobs, results):
            if before:
                before()
            taken.append(job())
    return [median(taken) for taken in results]


def median(taken):
    """The median of some measurements."""
    seconds = statistics.median(one.seconds for one in taken)
    processor = statistics.median(one.processor for one in taken)
    return Measured(seconds, max(one.peak for one in taken), taken[-1].output, processor)


def own_seconds(output):
    """The time that a program measured itself: `seconds=` in what it printed."""
    return float(output.split("seconds=")[1].split()[0])
