#!/usr/bin/env python3
"""Puts the rows of `supple bench --json` and of the peers into one CSV, with the ratios between them; prints these.

usage: merge.py FOLDER OUT.csv
"""
import csv
import json
import os
import sys

KEYS = ["scene", "what", "path", "bestNs", "medianNs", "per", "versus", "ratio"]

# ours (scene, what) against theirs (scene, what): how many times faster
PAIRS = [
    (("woman", "positions"), ("three.js", "applyBoneTransform, positions")),
    (("springs", "the step's map alone"), ("three-vrm", "spring bone joint")),
    (("springs", "step, moving"), ("three-vrm", "spring bone joint")),
    (("woman", "step, moving"), ("three-vrm", "spring bone joint")),
    (("woman", "frame of four elements"), ("bullet", "soft body, 1,000 nodes, 3,000 links, default")),
    (("woman", "frame of four elements"), ("bullet", "soft body, 1,000 nodes, 3,000 links, 10 substeps")),
    (("woman", "frame of four elements, normals"), ("bullet", "soft body, 1,000 nodes, 3,000 links, default")),
    (("woman", "frame of four elements, normals"), ("bullet", "soft body, 1,000 nodes, 3,000 links, 10 substeps")),
    (("woman", "positions, in Node"), ("woman", "positions, narrow")),
    (("woman", "positions and normals, in Node"), ("woman", "positions and normals, narrow")),
    (("woman", "step, in Node"), ("woman", "step, narrow")),
]


def main():
    folder, out = sys.argv[1:]
    report = json.load(open(os.path.join(folder, "supple.json"), encoding="utf-8"))
    rows = report["rows"]
    for name in ("bullet", "three_skin", "three_vrm", "wasm"):
        rows += json.load(open(os.path.join(folder, name + ".json"), encoding="utf-8"))
    found = {(row["scene"], row["what"]): row for row in rows}
    for ours, theirs in PAIRS:
        if ours in found and theirs in found:
            a, b = found[ours], found[theirs]
            rows.append({**a, "versus": f"{b['path']}: {b['what']}", "ratio": b["bestNs"] / a["bestNs"]})
            print(f"{ours[0]}, {ours[1]}: {rows[-1]['ratio']:.1f}x {rows[-1]['versus']}")
    with open(out, "w", newline="", encoding="utf-8") as file:
        machine = report["machine"]
        file.write(f"# {machine['processor']}, {machine['processors']} processors; {machine['compiler']}; {machine['flags']}; "
                   f"supple {machine['version']} with {machine['simd']}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(KEYS)
        for row in rows:
            writer.writerow([f"{row[k]:.3f}" if isinstance(row[k], float) else row[k] for k in KEYS])
    show(rows, machine, os.path.join(os.path.dirname(out), "..", "..", "docs", "performance.md"))


def show(rows, machine, page):
    """The rows that compare something, as a table between the page's marks."""
    text = open(page, encoding="utf-8").read()
    head, tail = text.split("<!-- results -->")[0], text.split("<!-- end -->")[1]
    lines = [f"{machine['processor']}, {machine['processors']} processors; {machine['compiler']}, `{machine['flags']}`; {machine['simd']}.", "",
             "| scene | what | path | best | median | against | faster |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        if row["scene"] == "sweep":
            continue
        unit, scale = ("ns", 1.0) if row["bestNs"] < 1000 else ("us", 1000.0)
        cells = [row["scene"], row["what"], row["path"], f"{row['bestNs'] / scale:.2f} {unit}/{row['per']}", f"{row['medianNs'] / scale:.2f} {unit}",
                 row["versus"] or "", f"{row['ratio']:.2f}x" if row["ratio"] else ""]
        lines.append("| " + " | ".join(cells) + " |")
    open(page, "w", encoding="utf-8").write(f"{head}<!-- results -->\n" + "\n".join(lines) + f"\n<!-- end -->{tail}")


if __name__ == "__main__":
    main()
