"""The one table that the benchmark prints."""

from dataclasses import dataclass


@dataclass
class Row:
    measurement: str
    ours: str
    peer: str
    ratio: str
    target: str
    met: str
    how: str


HEADINGS = Row("measurement", "cachectl", "peer", "ratio", "target", "met", "how measured")


def duration(seconds):
    if seconds < 0.1:
        return f"{seconds * 1000:.2f} ms"
    return f"{seconds:.2f} s"


def size(count):
    return f"{count / 2**20:.1f} MiB"


class Table:
    """Rows in the order in which they were measured."""

    def __init__(self, progress):
        self.rows = []
        self.progress = progress

    def _add(self, *cells):
        row = Row(*cells)
        self.rows.append(row)
        self.progress(f"{row.measurement}: {row.ours}, {row.peer}, {row.ratio} ({row.target})")

    def faster(self, name, ours, peer, times, how):
        """cachectl takes at most 1/`times` of the peer; no target where `times` is None."""
        ratio = peer / ours
        target, met = "", ""
        if times is not None:
            target, met = f"≥ {times:g} times as fast", "yes" if ratio >= times else "NO"
        self._add(name, duration(ours), duration(peer), f"{ratio:.1f} times", target, met, how)

    def share(self, name, ours, peer, most, how):
        """cachectl takes at most `most` of the peer's time."""
        ratio = ours / peer
        target, met = "", ""
        if most is not None:
            target, met = f"≤ {most:g} of it", "yes" if ratio <= most else "NO"
        self._add(name, duration(ours), duration(peer), f"{ratio:.2f} of it", target, met, how)

    def within(self, name, ours, most, how):
        """cachectl takes less than `most` seconds."""
        met = "yes" if ours < most else "NO"
        self._add(name, duration(ours), "", "", f"< {duration(most)}", met, how)

    def below(self, name, ours, most, how):
        """cachectl holds less than `most` bytes of memory."""
        met = "yes" if ours < most else "NO"
        self._add(name, size(ours), "", "", f"< {size(most)}", met, how)

    def missing(self, name, reason):
        """What could not be measured here, and why."""
        self._add(name, "not run", "", "", "", "", reason)

    def text(self):
        """The table in Markdown, its columns aligned."""
        cells = [list(vars(row).values()) for row in [HEADINGS, *self.rows]]
        widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
        lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(row, widths)) + " |" for row in cells]
        lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
        return "\n".join(lines)
