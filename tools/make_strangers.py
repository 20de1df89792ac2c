#!/usr/bin/env python3
"""Makes docs/strangers.md and its pictures: characters that the automatic rig was not made with, what is true of each
(strangers/bodies.json among the test assets) beside what was found, weights from front and back, and a strip, smooth and
living. Only pictures are kept, never the characters.

usage: make_strangers.py [NAME...]     only these pictures; the page is written in any case
SUPPLE_BIN: the program, build/release/supple by default. SUPPLE_ASSETS: the characters, ../shared/assets by default.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import textwrap

SUPPLE = os.environ.get("SUPPLE_BIN", "build/release/supple")
ASSETS = os.environ.get("SUPPLE_ASSETS", "../shared/assets")
OUT = "docs/strangers"
MOST_BYTES = 4e6

# clips that show a body at its liveliest, the first that there is; else the program takes the one that moves most
GAITS = ["gallop", "swimming_fast", "run", "jog", "swim", "fly", "walk"]
NOT_GAITS = ["jump", "stop", "attack", "death", "shoot", "back", "left", "right"]
LAST_RESORT = "jump"

# what is to be said of some. Trunks of animals that stay below 40% of their ceilings in their liveliest cycle are the
# ones that supExcused lists (tests/test_strangers_motion.c).
NOTES = {
    "Frog": "Its belly stays below 40% of its ceiling in its only cycle, an idle in which the trunk hardly moves. It gets "
            "about by jumps, which are not cycles.",
    "Wasp": "Its abdomen stays below 40% of its ceiling: it hovers on the spot, and only its wings beat. The list says that "
            "its front is +Z, but the wasp in the file looks along +X: its left and right wings lie at equal distances on "
            "both sides of the thorax along Z, and its head lies before the thorax along +X (`supTestWasp` in "
            "`tests/test_strangers.c` measures it). So the front that was found counts as wrong below, and is right.",
    "Whale": "Its belly and its sides stay below 40% of their ceilings. It swims in one slow beat of 3 s, and the lag of its "
             "flesh grows with the square of that speed. The strip shows no difference that an eye would see.",
    "KnightCharacter": "The material of its trunk, arms and thighs is called Armor, and names of materials count. So these "
                       "parts get no flesh, which the list allows. What is left are the calves, inside its boots.",
}

# people without clips run as a man of CMU's does: joints of the motion -> joints of theirs
MOTION = "bvh_cmu/09_01.bvh"
JOINTS = {"Hips": ["Root"], "LowerBack": ["Abdomen"], "Spine": ["Torso"], "Spine1": ["Chest"], "Neck1": ["Neck"],
          "Head": ["Head"]}
for ours, theirs in (("L", "Left"), ("R", "Right")):
    JOINTS.update({f"{theirs}Shoulder": [f"Shoulder.{ours}"], f"{theirs}Arm": [f"UpperArm.{ours}"],
                   f"{theirs}ForeArm": [f"LowerArm.{ours}"], f"{theirs}Hand": [f"Hand.{ours}", f"Fist.{ours}"],
                   f"{theirs}UpLeg": [f"UpperLeg.{ours}"], f"{theirs}Leg": [f"LowerLeg.{ours}"],
                   f"{theirs}Foot": [f"Foot.{ours}"]})


# ----------------------------------------------------------------------------------------------------------------
# The program

def supple(*words):
    """What it prints, or None and its complaint."""
    done = subprocess.run([SUPPLE, *words], capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout, None
    complaint = done.stderr.strip().splitlines()
    return None, complaint[-1].replace(ASSETS + "/", "") if complaint else f"exit code {done.returncode}"


def look_at(path):
    """A character as the program sees it: its rig's report and its clips, or why there is none."""
    report, refused = supple("rig", path, "--json")
    if report is None:
        return {"refused": refused}
    seen = json.loads(report)
    clips = json.loads(supple("inspect", path, "--json")[0])
    seen["clips"] = [clip["name"] for clip in clips["clips"]]
    return seen


def joint_names(path):
    data = open(path, "rb").read()
    size = int.from_bytes(data[12:16], "little")
    return {node.get("name") for node in json.loads(data[20:20 + size]).get("nodes", [])}


# ----------------------------------------------------------------------------------------------------------------
# Pictures

def render(path, picture, *words):
    _, complaint = supple("render", path, f"{OUT}/{picture}.webp", *words, "--preset", "natural", "--quality", "75")
    if complaint is not None:
        sys.exit(f"strangers: {picture}: {complaint}")


def gait_of(clips):
    for word in GAITS:
        for clip in clips:
            name = clip.lower()
            if word in name and not any(other in name for other in NOT_GAITS):
                return clip
    return next((clip for clip in clips if LAST_RESORT in clip.lower()), None)


def motion_words(path, folder):
    """For a body without clips: CMU's run, joint by joint; None where that does not fit."""
    there = joint_names(path)
    pairs = {joint: next((name for name in names if name in there), None) for joint, names in JOINTS.items()}
    if not os.path.exists(f"{ASSETS}/{MOTION}") or pairs["Hips"] is None or pairs["LeftUpLeg"] is None:
        return None
    map_path = f"{folder}/map.json"
    json.dump({joint: name for joint, name in pairs.items() if name}, open(map_path, "w", encoding="utf-8"))
    return ["--motion", f"{ASSETS}/{MOTION}", "--map", map_path]


def draw(name, path, truth, seen, folder):
    print(f"strangers: {name}", flush=True)
    stands = truth["kind"] in ("human", "blob")
    size = "230x290" if stands else "310x230"
    for what in ("elements", "weights"):
        for side, camera in (("front", "front" if stands else "50,10"), ("back", "back" if stands else "230,10")):
            render(path, f"{name}_{what}_{side}", "--show", what, "--clip", "none", "--camera", camera, "--size", size)
    words = strip_words(path, truth, seen, folder)
    if words is not None:
        render(path, f"{name}_strip", "--compare", "--strip", "4", "--size", size, *words)


def strip_words(path, truth, seen, folder):
    """What a strip is drawn of; None: there is nothing to draw."""
    if truth["kind"] == "machine":
        return None
    if not seen["clips"]:
        return motion_words(path, folder)
    clip = gait_of(seen["clips"])
    return ["--clip", clip] if clip else []


def strip_note(path, truth, seen, folder):
    if truth["kind"] == "machine":
        return "No strip: a machine carries no flesh."
    if not seen["clips"]:
        has_motion = motion_words(path, folder) is not None
        return "The file has no clips. It runs here with the motion of a man from the CMU database." if has_motion else \
            "No strip: the file has no clips."
    clip = gait_of(seen["clips"])
    return f"Clip: {clip}." if clip else "The clip that moves its flesh most."


# ----------------------------------------------------------------------------------------------------------------
# What is true, and what was found

def angle(a, b):
    dot = sum(x * y for x, y in zip(a, b))
    size = math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
    return math.degrees(math.acos(max(-1.0, min(1.0, dot / size)))) if size > 0 else 180.0


def direction(v):
    for axis, name in enumerate("XYZ"):
        for sign in (1, -1):
            unit = [sign if i == axis else 0 for i in range(3)]
            if angle(v, unit) < 2:
                return ("+" if sign > 0 else "-") + name
    return "(" + ", ".join(f"{x:.2f}" for x in v) + ")"


def allows(words, region, counts):
    """Whether the counts of all regions are what the words say: "2 or more", "1 or more, or side, or body"."""
    regions, numbers, least = [region], [], None
    for word in re.split(r"[ ,]+", str(words)):
        if word.isdigit():
            numbers.append(int(word))
        elif word == "more":
            least = numbers[-1]
        elif word != "or":
            regions.append(word)
    return any(counts.get(r, 0) in numbers or (least is not None and counts.get(r, 0) >= least) for r in regions)


def is_there(element, way, truth):
    """Whether an element lies from its bone as it should; True where the program does not tell."""
    if "center" not in element or "origin" not in element:
        return True
    off = [c - o for c, o in zip(element["center"], element["origin"])]
    along = {"front": truth["front"], "back": [-x for x in truth["front"]], "down": [-x for x in truth["up"]]}[way]
    return sum(x * y for x, y in zip(off, along)) > 0


def count_words(elements):
    """ "2 (left, right)" """
    sides = [element.get("side", "middle") for element in elements]
    told = [side for side in ("left", "right") for _ in range(sides.count(side))]
    return f"{len(elements)}" + (f" ({', '.join(told)})" if told else "")


def judge(truth, seen):
    """Rows of a table: what, true, found, right; what is not told by bodies.json is neither right nor wrong."""
    body = seen.get("body", {})
    rows = [("kind", truth["kind"], body.get("kind", "–"), body.get("kind") == truth["kind"])]
    for what in ("front", "up"):
        found = body.get(what)
        off = angle(truth[what], found) if found else 180.0
        rows.append((what, direction(truth[what]), direction(found) if found else "–", off <= 10))
    by_region = {}
    for element in seen["elements"]:
        by_region.setdefault(element["region"], []).append(element)
    counts = {region: len(elements) for region, elements in by_region.items()}
    for region, told in truth["regions"].items():
        way = told.get("offset")
        elements = by_region.pop(region, [])
        right = allows(told["count"], region, counts) and all(is_there(e, way, truth) for e in elements if way)
        rows.append((region, f"{told['count']}" + (f", {way}" if way else ""), count_words(elements), right))
    for region, elements in by_region.items():
        rows.append((region, "", count_words(elements), None))
    if not truth["regions"]:
        rows.append(("flesh", "none", f"{len(seen['elements'])} elements" if seen["elements"] else "none",
                     not seen["elements"]))
    return rows


# ----------------------------------------------------------------------------------------------------------------
# The page

def credit():
    """Authors and licence, from the table that comes with the assets."""
    path = os.path.join(ASSETS, "LICENSES.md")
    for line in open(path, encoding="utf-8") if os.path.exists(path) else []:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 4 and cells[0] == "strangers":
            return cells[2], cells[3]
    return "see the assets' own page", "see there"


def section(name, path, truth, seen, folder):
    lines = [f"## {name}", ""]
    if truth.get("note"):
        lines += [truth["note"][0].upper() + truth["note"][1:] + ".", ""]
    if name in NOTES:
        lines += textwrap.wrap(NOTES[name], 118) + [""]
    if "refused" in seen:
        return lines + [f"Refused: {seen['refused']}", ""]
    lines += ["| | true | found | |", "|---|---|---|---|"]
    for what, true, found, right in judge(truth, seen):
        lines.append(f"| {what} | {true} | {found} | {'' if right is None else 'right' if right else '**wrong**'} |")
    if "body" in seen:
        lines.append(f"| confidence | | {seen['body'].get('confidence', 0):.2f} | |")
    # only pictures that were drawn
    def picture(suffix, words):
        return f"![{name}: {words}](strangers/{name}_{suffix}.webp)" if os.path.exists(f"{OUT}/{name}_{suffix}.webp") \
            else ""
    pictures = " ".join(picture(f"{what}_{side}", f"{what}, {side}")
                        for what in ("elements", "weights") for side in ("front", "back"))
    return lines + ["", pictures, "", picture("strip", "smooth, living, and how far the skin moved"), "",
                    f"<sub>{strip_note(path, truth, seen, folder)}</sub>", ""]


def summary(bodies):
    """How many of each are right."""
    right = {"kind": 0, "front": 0, "up": 0, "regions": 0}
    for _, _, truth, seen in bodies:
        rows = judge(truth, seen) if "refused" not in seen else []
        for what in ("kind", "front", "up"):
            right[what] += any(row[0] == what and row[3] for row in rows)
        right["regions"] += bool(rows) and all(row[3] is not False for row in rows[3:])
    return "right: " + ", ".join(f"{what} on {count} of {len(bodies)}" for what, count in right.items())


def write_page(bodies, folder):
    authors, licence = credit()
    lines = ["# Strangers", "",
             *textwrap.wrap(
                 "This page shows what the [automatic rig](automatic.md) finds on characters that it was not made with. Each was "
                 "read in `natural`, with no option set, and `./run strangers` makes the page. People looked at each "
                 "character and wrote down what is true of it; the table puts what was found beside that. The stills show "
                 "the elements (one colour each) and their weights (black to white), seen from the front and from the back "
                 "that were found. The strip shows four moments, smooth and living, with how far the skin moved (grey: not "
                 "at all, red: most; the scale is beside it).", 118), "",
             *textwrap.wrap(
                 f"{summary(bodies).capitalize()}. The one front that counts as wrong is the [wasp's](#wasp). In its liveliest "
                 "cycle the trunk of every animal reaches at least 40% of its ceiling, except on the [frog](#frog), the "
                 "[wasp](#wasp) and the [whale](#whale); their sections say why.", 118), ""]
    for name, path, truth, seen in bodies:
        lines += section(name, path, truth, seen, folder)
    lines += [f"<sub>Characters and motion: {authors}. Licence: {licence}. Only pictures are kept here. Flesh was added to the "
              "motion.</sub>", ""]
    with open(OUT + ".md", "w", encoding="utf-8") as page:
        page.write("\n".join(lines))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    truths = os.path.join(ASSETS, "strangers/bodies.json")
    if not os.path.exists(truths):
        print(f"strangers: warning: no {truths} (SUPPLE_ASSETS names the assets' folder): the page stays as it is")
        return
    only = sys.argv[1:]
    os.makedirs(OUT, exist_ok=True)
    bodies = []
    for truth in json.load(open(truths, encoding="utf-8"))["bodies"]:
        path = os.path.join(ASSETS, "strangers", truth["file"])
        name = truth["file"].split(".")[0]
        bodies.append((name, path, truth, look_at(path)))
    unknown = set(only) - {name for name, _, _, _ in bodies}
    if unknown:
        sys.exit(f"strangers: no such character: {', '.join(sorted(unknown))}; there are "
                 f"{', '.join(name for name, _, _, _ in bodies)}")
    with tempfile.TemporaryDirectory() as folder:
        for name, path, truth, seen in bodies:
            if "refused" in seen:
                print(f"strangers: {name}: {seen['refused']}")
            elif not only or name in only:
                draw(name, path, truth, seen, folder)
        write_page(bodies, folder)
    size = sum(os.path.getsize(f"{OUT}/{file}") for file in os.listdir(OUT))
    print(f"strangers: {summary(bodies)}; {size / 1e6:.1f} MB of pictures")
    if size > MOST_BYTES:
        print(f"strangers: warning: {MOST_BYTES / 1e6:.0f} MB are enough for a page")


main()
