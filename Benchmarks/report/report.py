#!/usr/bin/env python3
"""Turns the figures of a run into tables and pictures.

    report.py RUN.json OUT.md          all tables into one file, the pictures beside it
    report.py RUN.json --repository    into docs/performance.md, docs/images, the README and an article of TreeKit.docc

In a document a table stands between `<!-- bench: NAME -->` and `<!-- end -->`; what is between is replaced.
"""
import pathlib
import re
import sys

from figures import Figures
from tables import PARTS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fill(path, f):
    text = path.read_text()
    names = re.findall(r"<!-- bench: (\w+) -->", text)
    for name in names:
        text = re.sub(rf"(<!-- bench: {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + PARTS[name](f) + "\n" + m[2],
                      text, flags=re.S)
    path.write_text(text)
    print(f"{path.relative_to(ROOT)}: {', '.join(names)}")


def main():
    f = Figures(sys.argv[1])
    if sys.argv[2] == "--repository":
        images = ROOT / "docs/images"
        fill(ROOT / "docs/performance.md", f)
        fill(ROOT / "README.md", f)
        fill(ROOT / "Sources/TreeKit/TreeKit.docc/PerformanceAndMemory.md", f)
    else:
        out = pathlib.Path(sys.argv[2])
        images = out.parent
        images.mkdir(parents=True, exist_ok=True)
        out.write_text("\n\n".join(f"## {name}\n\n{part(f)}" for name, part in PARTS.items()) + "\n")
        print(out)
    try:
        import plots
    except ImportError:
        print("No pictures: matplotlib is not installed", file=sys.stderr)
        return
    drawn = plots.draw(f, images)
    # The pictures of documents are SVG; PNG is for looking at them.
    if sys.argv[2] == "--repository":
        look = ROOT / "build/bench/pictures"
        look.mkdir(parents=True, exist_ok=True)
        for picture in images.glob("performance-*.png"):
            picture.replace(look / picture.name)
    print(f"{drawn} pictures in {images}")


if __name__ == "__main__":
    main()
