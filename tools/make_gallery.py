#!/usr/bin/env python3
"""Makes docs/gallery.md and its pictures: the built-in characters, and others where their files are at hand, smooth and
living, with the automatic rig. Only pictures are kept, never the characters.

usage: make_gallery.py [NAME...]     only these pictures; the page is written in any case
NAME "turning": the strips of docs/modes.md, flesh beside flesh that turns, in docs/pictures.
SUPPLE_BIN: the program, build/release/supple by default. SUPPLE_ASSETS: the characters, ../shared/assets by default.
"""
import json
import os
import subprocess
import sys
import tempfile
import textwrap

SUPPLE = os.environ.get("SUPPLE_BIN", "build/release/supple")
ASSETS = os.environ.get("SUPPLE_ASSETS", "../shared/assets")
OUT = "docs/gallery"

# name, title, built-in character or file below the assets, clip, moment of the stills (s), camera of film and of
# stills, size of the film, words
CHARACTERS = [
    ("woman", "The built-in woman", "woman", "run", 0.3, "52,6", "38,8", "640x400",
     "The breasts are softest and lag most. Bottom and thighs follow and settle. A slim belly, arms and calves barely move."),
    ("cat", "The built-in cat", "cat", "run", 0.25, "68,6", "50,6", "900x360",
     "The trunk lies, and the belly hangs below it and swings between the strides."),
    ("mushroom", "The built-in mushroom", "mushroom", "bounce", 0.86, "30,8", "30,8", "640x400",
     "It has one bone. The cap overshoots and settles."),
    ("heavy", "Heavy man", "mh_human/mh_heavy.glb", "run", 0.4, "62,5", "50,8", "640x400",
     "The belly stays below 30% of its thickness and the bottom below 28%. No cross-section of a limb leaves its bone by more "
     "than 17% of its radius. The chin and cheeks of a heavy face move too."),
    ("cow", "Cow", "quaternius/Cow.glb", "AnimalArmature|Gallop", 0.25, "62,8", "50,6", "900x360",
     "The heavy belly swings at 2.5 Hz. Hooves, horns and tail are left alone."),
    ("horse", "Horse", "quaternius/Horse.glb", "AnimalArmature|Gallop", 0.25, "66,6", "50,6", "900x360",
     "The belly, the rump and the upper legs move. Head, ears, tail and hooves are left alone."),
    ("fox", "Fox", "khronos_fox/glTF-Binary/Fox.glb", "Run", 0.05, "68,8", "50,6", "900x360",
     "290 distinct vertices are enough. In this file the weights of the forelegs reach far along the flanks, and so does "
     "their flesh."),
    ("walker", "Walking man", "khronos_cesiumman/glTF-Binary/CesiumMan.glb", None, 0.76, "52,6", "38,8", "640x400",
     "A slim body in a calm walk moves little, and that is right. Nothing reaches its ceiling."),
    ("character", "Stylised character", "quaternius/Character.glb", "CharacterArmature|Run", 0.3, "40,8", "35,8",
     "640x400", "This is a robot in a jacket, and the jacket moves. Plates, balls and pistons are hard; head and sword "
     "are left alone. The jacket's two flaps are taken for breasts, and the program is only 55% sure of this body's front."),
]


# built-in character, clip, camera, size of a cell, elements that turn
TURNING = [
    ("mushroom", "swing", "30,6", "240x240", ("body",)),
    ("woman", "run", "30,6", "200x280", ("belly", "breast left", "breast right", "bottom left", "bottom right")),
]


def path_of(source):
    return os.path.join(ASSETS, source) if "/" in source else source


def is_there(source):
    return "/" not in source or os.path.exists(path_of(source))


def credits():
    """Folder of an asset -> (author, licence), from the table that comes with them."""
    found = {}
    path = os.path.join(ASSETS, "LICENSES.md")
    for line in open(path, encoding="utf-8") if os.path.exists(path) else []:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 4 and cells[0] not in ("folder", "") and not cells[0].startswith("---"):
            found[cells[0]] = (cells[2], cells[3])
    return found


def render(source, picture, clip, *words):
    call = [SUPPLE, "render", path_of(source), f"{OUT}/{picture}.webp", "--camera-follow", *words]
    subprocess.run(call + (["--clip", clip] if clip else []), check=True, stderr=subprocess.DEVNULL)


def draw(name, source, clip, moment, film, still, size):
    print(f"gallery: {name}", flush=True)
    width, height = size.split("x")
    cell = f"{int(width) * 3 // 10}x{int(height) * 3 // 5}"
    still_size = "400x320" if int(width) > 700 else "280x360"
    both = ("--compare", "--preset", "natural")
    render(source, name, clip, *both, "--camera", film, "--size", size, "--fps", "25", "--quality", "70")
    render(source, f"{name}_strip", clip, *both, "--strip", "4", "--size", cell, "--quality", "80")
    for what in ("elements", "weights", "displacement"):
        render(source, f"{name}_{what}", clip, "--show", what, "--preset", "natural", "--camera", still, "--time",
               str(moment), "--size", still_size, "--quality", "80")


def draw_turning():
    """The automatic rig as it is, and with a torsion spring on some of its elements."""
    for name, clip, camera, size, elements in TURNING:
        print(f"gallery: {name} turning", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            plain, turning = f"{folder}/plain.rig.json", f"{folder}/turning.rig.json"
            subprocess.run([SUPPLE, "rig", name, plain, "--force"], check=True, stdout=subprocess.DEVNULL)
            rig = json.load(open(plain, encoding="utf-8"))
            rig["modes"] = [{"name": f"{element} turns", "element": element, "motion": "turn", "frequency": 3,
                             "dampingRatio": 0.15, "amount": 1.5, "limitAngle": 0.6} for element in elements]
            json.dump(rig, open(turning, "w", encoding="utf-8"))
            baked = [f"{folder}/flesh.glb", f"{folder}/turns.glb"]
            for file, words in zip(baked, (plain, turning)):
                subprocess.run([SUPPLE, "bake", name, file, "--rig", words], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([SUPPLE, "render", "--compare", *baked, f"docs/pictures/{name}_turning.webp", "--clip", clip,
                            "--strip", "5", "--size", size, "--camera", camera, "--caption", "flesh", "--caption",
                            "flesh that turns", "--quality", "80"], check=True, stderr=subprocess.DEVNULL)


def write_page(shown):
    sources = credits()
    lines = ["# Gallery", "",
             *textwrap.wrap(
                 "This page shows nine characters with the [automatic rig](automatic.md) in `natural`. No number was set by "
                 "hand, and `./run gallery` makes the page. The film shows the character as the file has it on the left, and "
                 "with flesh on the right. The strip shows four moments of the same, with how far the skin moved (grey: not "
                 "at all, red: most). The stills show the elements that were found (one colour each), their weights (black to "
                 "white), and how far the living skin is from the smooth skin at one moment (blue). Camera angles are counted "
                 "from the front that was found.", 118), ""]
    for name, title, source, clip, _, _, _, _, words in shown:
        folder = source.split("/")[0]
        lines += [f"## {title}", "", *textwrap.wrap(words, 118), "", f"![{title}: smooth and living](gallery/{name}.webp)", "",
                  f"![{title}: four moments](gallery/{name}_strip.webp)", "",
                  " ".join(f"![{title}: {what}](gallery/{name}_{what}.webp)"
                           for what in ("elements", "weights", "displacement")), ""]
        if "/" in source:
            author, licence = sources[folder]
            file = os.path.basename(source)
            lines += [f"<sub>{file}: {author}. Licence: {licence}. Only pictures are kept here. Flesh was added to the motion.</sub>", ""]
        else:
            lines += [f"<sub>Built by formulas in `src/creatures`; `supple demo {name}` writes its files.</sub>", ""]
    with open(OUT + ".md", "w", encoding="utf-8") as page:
        page.write("\n".join(lines))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    os.makedirs(OUT, exist_ok=True)
    only = sys.argv[1:]
    shown = [c for c in CHARACTERS if is_there(c[2])]
    for name, _, source, clip, moment, film, still, size, _ in shown:
        if not only or name in only:
            draw(name, source, clip, moment, film, still, size)
    if not only or "turning" in only:
        draw_turning()
    if len(shown) == len(CHARACTERS):
        write_page(shown)
    else:
        print("gallery: the test assets are not at hand (SUPPLE_ASSETS): only the built-in characters were drawn, the page "
              "stays as it is")


main()
