"""The figures of a run as pictures."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

from figures import OPERATIONS, PEERS, amount, count  # noqa: E402

# One colour and one mark for each peer in every picture; TreeKit's lines are the thick ones.
LOOK = {
    "treekit": ("#1550c8", "o"), "treekit-swift": ("#5aa2ee", "s"), "gtk": ("#2b8a3e", "^"), "kde": ("#e8590c", "v"),
    "flat": ("#868e96", "D"), "counts": ("#862e9c", "P"), "swift-nested": ("#a0522d", "X"),
    "absl": ("#2b8a3e", "^"), "glib": ("#e8590c", "v"), "std": ("#868e96", "D"), "swift-dictionary": ("#a0522d", "X"),
}
INDEX_NAMES = {
    "treekit": "TreeKit", "treekit-swift": "TreeKit in Swift", "absl": "abseil flat_hash_map", "glib": "GLib GHashTable",
    "std": "std::unordered_map", "swift-dictionary": "Swift Dictionary",
}
plt.rcParams.update({
    "font.size": 9, "axes.titlesize": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#e3e6e8", "grid.linewidth": 0.6, "axes.edgecolor": "#adb5bd", "xtick.color": "#495057",
    "ytick.color": "#495057", "svg.hashsalt": "TreeKit", "figure.facecolor": "white", "legend.frameon": False,
})


def short(value):
    for size, name in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if value >= size:
            return f"{value / size:g} {name}"
    return f"{value:g} ns"


def log_axes(axes, x=True):
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=12))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    if x:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: count(int(round(value)))))
        axes.xaxis.set_minor_formatter(NullFormatter())


def line(axes, peer, points, label):
    color, mark = LOOK[peer]
    ours = peer.startswith("treekit")
    axes.plot([p[0] for p in points], [p[1] for p in points], color=color, marker=mark, label=label,
              linewidth=2.4 if peer == "treekit" else 1.8 if ours else 1.3, markersize=4.5, zorder=3 if ours else 2)


def legend_below(figure, axes, columns):
    seen = {}
    for one in axes:
        for handle, label in zip(*one.get_legend_handles_labels()):
            seen.setdefault(label, handle)
    figure.legend(seen.values(), seen.keys(), loc="lower center", ncol=columns)


def growth(f):
    """The cost of each operation over the number of rows."""
    chosen = [("collapse", 100), ("expand", 100), ("insert", 0), ("remove", 0), ("node_at", 0), ("row_of", 0),
              ("window", 0), ("expand_all", 0)]
    figure, grid = plt.subplots(2, 4, figsize=(12.5, 6.6), sharex=True)
    flat = list(grid.flat)
    for axes, (op, size) in zip(flat, chosen):
        for peer in f.peers_with("files"):
            points = [p for p in f.series(peer, op, size) if p[0] <= 1e7]
            if points:
                line(axes, peer, points, PEERS[peer][0])
        axes.set_title(OPERATIONS[op, size][0])
        log_axes(axes)
    for axes in grid[1]:
        axes.set_xlabel("rows")
    figure.suptitle("Cost of one operation as the tree grows (both axes logarithmic, lower is better)", fontsize=12)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    legend_below(figure, flat, 7)
    return figure


def toggles(f):
    """Opening and closing, over how many rows come or go."""
    sizes = [r for r in f.rows_of("files") if r <= 1000000 and f.value("treekit", "files", r, "collapse", 100)]
    if not sizes:
        return None
    figure, pair = plt.subplots(1, 2, figsize=(9.5, 4.2), sharey=True)
    for axes, op in zip(pair, ("collapse", "expand")):
        for peer in f.peers_with("files"):
            # The largest tree that this peer could do; which one is said where it is another.
            rows = max((r for r in f.sizes(peer, "files", op, 100) if r <= sizes[-1]), default=None)
            if rows is None:
                continue
            points = [(size, f.value(peer, "files", rows, op, size)) for size in (10, 100, 1000, 10000, 100000, 1000000)]
            name = PEERS[peer][0] + ("" if rows == sizes[-1] else f" ({count(rows)} rows)")
            line(axes, peer, [p for p in points if p[1] is not None], name)
        axes.set_title(f"{op} one node")
        axes.set_xlabel(f"rows that {'go' if op == 'collapse' else 'come'}")
        log_axes(axes)
    figure.suptitle(f"One tap in a tree of {count(sizes[-1])} rows (both axes logarithmic, lower is better)", fontsize=12)
    figure.tight_layout(rect=(0, 0.13, 1, 1))
    legend_below(figure, pair, 4)
    return figure


def memory(f):
    rows = max((r for r in f.rows_of("files") if r <= 1000000), default=0)
    names, sources, wholes, colors = [], [], [], []
    for peer in f.peers_with("files"):
        size = max((r for r in f.sizes(peer, "files", "memory") if r <= rows), default=None)
        if size is None:
            continue
        names.append(PEERS[peer][0] + ("" if size == rows else f"\n({count(size)} rows)"))
        sources.append(f.value(peer, "files", size, "memory_source"))
        wholes.append(f.value(peer, "files", size, "memory"))
        colors.append(LOOK[peer][0])
    if not names:
        return None
    figure, axes = plt.subplots(figsize=(8, 3.6))
    places = list(range(len(names)))[::-1]
    axes.barh(places, wholes, color=colors, alpha=0.45, height=0.6)
    axes.barh(places, sources, color=colors, height=0.6)
    for place, whole in zip(places, wholes):
        axes.text(whole, place, f" {whole:.0f}", va="center", color="#343a40")
    axes.set_yticks(places, names)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("bytes a node: the source when all is closed (full colour), and the rows when all is open (pale)")
    axes.set_title(f"Memory, {count(rows)} nodes (shorter is better)")
    figure.tight_layout()
    return figure


def sessions(f):
    cases = [("machine", "", "The machine's files, closed at first"), ("json", "_all_open", "A JSON document, all open")]
    figure, pair = plt.subplots(1, 2, figsize=(10.5, 3.6), sharex=True)
    drawn = False
    for axes, (tree, suffix, title) in zip(pair, cases):
        found = []
        for peer in PEERS:
            key = next((k for k in f.by_key if k[0] == peer and k[1] == tree and k[3] == "session" + suffix), None)
            if key:
                found.append((peer, f.by_key[key]))
        for place, (peer, one) in enumerate(reversed(found)):
            color = LOOK[peer][0]
            axes.plot([one["cpu_time"], one["p999"]], [place, place], color=color, linewidth=2)
            axes.plot(one["cpu_time"], place, marker="o", color=color, label="median", linestyle="none")
            axes.plot(one["p999"], place, marker="|", markersize=14, markeredgewidth=2.5, color=color,
                      label="99.9th percentile", linestyle="none")
            drawn = True
        axes.set_yticks(range(len(found)), [PEERS[peer][0] for peer, _ in reversed(found)])
        axes.set_ylim(-0.6, len(found) - 0.4)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(numticks=12))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.axvline(1e9 / 120, color="#c92a2a", linewidth=1, linestyle="--")
        axes.text(1e9 / 120, len(found) - 0.42, "a frame at 120 Hz ", color="#c92a2a", ha="right", va="top", fontsize=8)
        axes.grid(axis="y", visible=False)
        axes.set_title(title)
    if not drawn:
        return None
    figure.suptitle("One step of a session of taps: median (dot) and 99.9th percentile (bar)", fontsize=12)
    figure.tight_layout()
    return figure


def index(f):
    cases = [("hit_u64", "64-bit numbers"), ("hit_text", "texts of 24 bytes")]
    figure, pair = plt.subplots(1, 2, figsize=(9.5, 3.9), sharey=True)
    drawn = False
    for axes, (op, title) in zip(pair, cases):
        for peer, name in INDEX_NAMES.items():
            points = f.series(peer, op, 0, "keys")
            if points:
                drawn = True
                line(axes, peer, points, name)
        axes.set_title(title)
        axes.set_xlabel("identifiers")
        log_axes(axes)
    if not drawn:
        return None
    figure.suptitle("Finding one by its identifier (both axes logarithmic, lower is better)", fontsize=12)
    figure.tight_layout(rect=(0, 0.13, 1, 1))
    legend_below(figure, pair, 3)
    return figure


PICTURES = {"growth": growth, "toggles": toggles, "memory": memory, "sessions": sessions, "index": index}


def draw(f, folder):
    """Each as SVG, and as PNG for looking at where SVG is not shown. Returns how many there were figures for."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = 0
    for name, make in PICTURES.items():
        figure = make(f)
        if figure is None:
            continue
        drawn += 1
        figure.savefig(folder / f"performance-{name}.svg", metadata={"Date": None})
        figure.savefig(folder / f"performance-{name}.png", dpi=110)
        plt.close(figure)
    return drawn
