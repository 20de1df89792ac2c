#!/usr/bin/env python3
"""Writes what fat costs into docs/fat-results.md, from a report of the bench's scenes fat and fat-sizes.

usage: fat_page.py REPORT.json PAGE.md
"""
import json
import sys

from page_marks import put_between


def size_text(amount):
    """Bytes in words."""
    return f"{amount / 1e9:.1f} GB" if amount >= 1e9 else f"{amount / 1e6:.0f} MB"


def time_text(microseconds):
    """A time in words."""
    return f"{microseconds / 1000:.2f} ms" if microseconds >= 1000 else f"{microseconds:.1f} us"


def breast(report):
    """The paper's case by both solvers."""
    facts, best = report["facts"]["fat"], {row["what"]: row["bestNs"] for row in report["rows"] if row["scene"] == "fat"}
    lines = [f"The paper's breast: {facts['nodes']} nodes, {facts['held']} of them held, {facts['voxels']} voxels, {facts['skin']:,} vertices.", "",
             "| solver | one second of animation, 60 steps, with the skin | faster than real time | sag at rest |", "|---|---|---|---|"]
    solvers = [(f"live, {facts['vibrations']} vibrations", "frame, live", facts["sagMm"]), ("reference, explicit", "frame, reference", facts["sagReferenceMm"])]
    for words, what, sag in solvers:
        lines.append(f"| {words} | {60 * best[what] / 1e6:.2f} ms | {best['real time'] / best[what]:.0f}x | {sag:.3f} mm |")
    return lines


def sizes(report):
    """More and more nodes in the torso's outer half."""
    lines = ["The torso's outer half, finer and finer (compiled in: seconds of one processor):", "",
             "| nodes | voxel | vibrations | compiled in | memory for that | kept | factor | step | step and skin |", "|---|---|---|---|---|---|---|---|---|"]
    for one in report["facts"]["fat-sizes"]:
        if "refused" in one:
            lines.append(f"| {one['wanted']:,.0f} | {one['refused']} | | | | | | | |")
        else:
            lines.append(f"| {one['nodes']:,} | {one['voxelMm']:.1f} mm | {one['vibrations']} | {one['compileSeconds']:.2f} s | {size_text(one['peakBytes'])} | "
                         f"{size_text(one['keptBytes'])} | {size_text(one['factorBytes'])} | {time_text(one['stepUs'])} | {time_text(one['frameUs'])} |")
    return lines


def main():
    source, page = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        report = json.load(file)
    put_between(page, "cost", breast(report) + [""] + sizes(report))


if __name__ == "__main__":
    main()
