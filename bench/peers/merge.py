#!/usr/bin/env python3
"""Puts the rows of `supple bench --json` and of the peers into one CSV, with the ratios between them; prints these.
Then writes the tables of the pages from that CSV.

usage: merge.py FOLDER OUT.csv
       merge.py OUT.csv          the pages alone, from a CSV that is there
"""
import csv
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from page_marks import put_between  # noqa: E402 (found beside the peers)

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
    (("fat", "frame, live"), ("bullet", "implicit deformable body, the breast's nodes")),
    (("woman", "positions, in Node"), ("woman", "positions, narrow")),
    (("woman", "positions and normals, in Node"), ("woman", "positions and normals, narrow")),
    (("woman", "step, in Node"), ("woman", "step, narrow")),
]

# what was asked for: words, ours, theirs, the bound on theirs / ours (below 1: at most so many times theirs)
ASKED = [
    ("positions, file order, against plain C naive", ("woman", "positions"), ("woman", "naive"), 8.0),
    ("the same against plain C blended", ("woman", "positions"), ("woman", "blended"), 5.0),
    ("the same against three.js", ("woman", "positions"), ("three.js", "applyBoneTransform, positions"), 100.0),
    ("positions in our own order against plain C blended", ("woman", "positions, our order"), ("woman", "blended"), 6.0),
    ("positions and normals against plain C blended", ("woman", "positions and normals"), ("woman", "blended, normals"), 4.0),
    ("flesh on top, positions", ("woman", "positions, living"), ("woman", "positions"), 1 / 1.2),
    ("flesh on top, with normals", ("woman", "positions and normals, living"), ("woman", "positions and normals"), 1 / 1.2),
    ("u = 0 everywhere against the smooth skin", ("woman", "living, u = 0 everywhere"), ("woman", "smooth"), 1 / 1.2),
    ("a million vertices against memcpy of the same bytes", ("million", "positions"), ("million", "copy of 48 bytes"), 0.5),
    ("dual quaternions against plain C", ("woman", "dual quaternions"), ("woman", "dual quaternions, plain"), 6.0),
    ("spring step (the map) against a three-vrm joint", ("springs", "the step's map alone"), ("three-vrm", "spring bone joint"), 100.0),
    ("the whole step, 100 elements, pose included, against the same", ("springs", "step, moving"), ("three-vrm", "spring bone joint"), 100.0),
    ("step, settled against moving", ("springs", "step, settled"), ("springs", "step, moving"), 1 / 1.1),
    ("the woman, four elements, positions, against Bullet", ("woman", "frame of four elements"),
     ("bullet", "soft body, 1,000 nodes, 3,000 links, default"), 5.0),
    ("the same against Bullet's 10 substeps", ("woman", "frame of four elements"), ("bullet", "soft body, 1,000 nodes, 3,000 links, 10 substeps"), 50.0),
    ("the same with normals against Bullet", ("woman", "frame of four elements, normals"),
     ("bullet", "soft body, 1,000 nodes, 3,000 links, default"), 5.0),
    ("the same with normals against Bullet's 10 substeps", ("woman", "frame of four elements, normals"),
     ("bullet", "soft body, 1,000 nodes, 3,000 links, 10 substeps"), 50.0),
    ("fat, the breast with its skin, live, against real time", ("fat", "frame, live"), ("fat", "real time"), 100.0),
    ("the same against Bullet's implicit body of the same nodes", ("fat", "frame, live"),
     ("bullet", "implicit deformable body, the breast's nodes"), 150.0),
    ("WebAssembly against SSE2, positions", ("woman", "positions, in Node"), ("woman", "positions, narrow"), 0.5),
    ("WebAssembly against SSE2, positions and normals", ("woman", "positions and normals, in Node"), ("woman", "positions and normals, narrow"), 0.5),
    ("WebAssembly against SSE2, step", ("woman", "step, in Node"), ("woman", "step, narrow"), 0.5),
]

# scenes whose frames are counted, by the median of their times: scene, words, frames a second
FRAMES = [
    ("muscles", "the heavy man running, {muscles} muscles, 4,000 rays, normals, one core, median", 120),
    ("anatomy", "the heavy man running, {muscles} muscles, {nodes:,} nodes of fat, normals, one core, median", 60),
]


def asked_of_anatomy(found, facts):
    """Lines on fat, muscles and all of the anatomy that are no ratios of times."""
    lines = []
    if "fat" in facts:
        sag, reference = facts["fat"]["sagMm"], facts["fat"]["sagReferenceMm"]
        off = abs(sag / reference - 1)
        lines.append(f"| sag of the breast at rest, live ({sag:.3f} mm) and by the reference ({reference:.3f} mm) | within 2% | {100 * off:.3f}% | "
                     f"{'' if off <= 0.02 else 'not reached'} |")
    for scene, words, wanted in FRAMES:
        row = found.get((scene, "frame: step and skin"))
        if scene in facts and row:
            rate = 1e9 / row["medianNs"]
            lines.append(f"| {words.format(**facts[scene])} | {wanted} frames a second | {rate:.0f} | {'' if rate >= wanted else 'not reached'} |")
    return lines


def asked(rows, facts):
    """A table of what was asked for and what this run reached."""
    found = {}
    for row in rows:
        found.setdefault((row["scene"], row["what"]), row)
    lines = ["| what | asked | reached | |", "|---|---|---|---|"]
    for words, ours, theirs, bound in ASKED:
        if ours in found and theirs in found:
            ratio = found[theirs]["bestNs"] / found[ours]["bestNs"]
            wants, got = (f"at least {bound:g}x", f"{ratio:.1f}x") if bound > 1 else (f"at most {1 / bound:g} times", f"{1 / ratio:.2f} times")
            lines.append(f"| {words} | {wants} | {got} | {'' if ratio >= bound else 'not reached'} |")
    lines += asked_of_anatomy(found, facts)
    crowd = [row for row in rows if row["scene"] == "crowd" and row["what"].startswith("frame")]
    if crowd:
        frame = crowd[0]["bestNs"] / 1000
        lines.append(f"| 1,000 women, positions and normals, on one core | 16.7 ms | {frame:.1f} ms | {'' if frame <= 16.7 else 'not reached'} |")
    if len(crowd) > 1:
        ratio = crowd[0]["bestNs"] / crowd[1]["bestNs"]
        spare = [row["bestNs"] for row in rows if row["what"] == "multiplications, nothing shared"]
        lines.append(f"| the same on two threads; multiplications that share nothing: {spare[0] / spare[1]:.2f}x | at least 1.8x | {ratio:.2f}x | {'' if ratio >= 1.8 else 'not reached'} |")
    return lines


def merge(folder, out):
    """All rows of a run and their ratios, into a CSV."""
    with open(os.path.join(folder, "supple.json"), encoding="utf-8") as file:
        report = json.load(file)
    rows = report["rows"]
    for name in ("bullet", "bullet_fat", "three_skin", "three_vrm", "wasm"):
        with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
            rows += json.load(file)
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
        file.write(f"# facts {json.dumps(report['facts'])}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(KEYS)
        for row in rows:
            writer.writerow([f"{row[k]:.3f}" if isinstance(row[k], float) else row[k] for k in KEYS])


def read(path):
    """Rows, facts and the machine's line of a CSV."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.read().splitlines()
    facts = [json.loads(line[len("# facts "):]) for line in lines if line.startswith("# facts ")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        row["bestNs"], row["medianNs"] = float(row["bestNs"]), float(row["medianNs"])
        row["ratio"] = float(row["ratio"]) if row["ratio"] else None
    return rows, facts[0] if facts else {}, lines[0][2:]


def write_pages(path):
    """The tables of the pages, from a CSV."""
    rows, facts, machine = read(path)
    docs = os.path.join(os.path.dirname(path), "..", "..", "docs")
    put_between(os.path.join(docs, "performance-results.md"), "asked", asked(rows, facts))
    put_between(os.path.join(docs, "performance-results.md"), "results", results(rows, machine))
    for page, scenes in (("fat-results.md", ("fat", "anatomy", "bullet")), ("anatomy-results.md", ("muscles", "anatomy"))):
        own = [row for row in rows if row["scene"] in scenes]
        put_between(os.path.join(docs, page), "asked", asked(own, {scene: facts[scene] for scene in scenes if scene in facts}))


def main():
    *folder, out = sys.argv[1:]
    if folder:
        merge(folder[0], out)
    write_pages(out)


def results(rows, machine):
    """All rows but those of plots, as a table."""
    processors, compiler, flags, version = machine.split("; ")
    lines = [f"{processors}; {compiler}, `{flags}`; {version}.", "",
             "| scene | what | path | best | median | against | faster |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        if row["scene"] == "sweep":
            continue
        unit, scale = ("ns", 1.0) if row["bestNs"] < 1000 else ("us", 1000.0)
        cells = [row["scene"], row["what"], row["path"], f"{row['bestNs'] / scale:.2f} {unit}/{row['per']}", f"{row['medianNs'] / scale:.2f} {unit}",
                 row["versus"] or "", f"{row['ratio']:.2f}x" if row["ratio"] else ""]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


if __name__ == "__main__":
    main()
