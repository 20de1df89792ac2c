#!/usr/bin/env python3
"""Draws docs/pictures/architecture.svg, the picture of the whole: which part of the sources includes which.

The folders, the layers, the libraries from outside and the arrows are read from the sources. What each part is for is
said here, and a part without words is an error.

usage: make_architecture.py            write the picture
       make_architecture.py --check    fail where the picture is stale
"""
import os
import sys
from html import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from check_includes import BESIDE, ORDER, includes, resolve  # noqa: E402 (the checker knows the order of the parts)

OUT = "docs/pictures/architecture.svg"

# part -> what it is for, what comes in and goes out, its colour
CORE = {
    "auto": ("reads any body and proposes a rig", "character → rig", "#b5493c"),
    "bake": ("plays clips and writes them as joints or morph targets", "body, clips → keys", "#c47a2c"),
    "body": ("steps the layers of one character, or of a crowd", "pose, dt → skin", "#a08a1f"),
    "rig": ("holds the rig as data and compiles it to a model", "character, rig → model", "#5b8c3a"),
    "layers": ("one folder for each deformation", "smooth skin → living skin", "#2f8f7d"),
    "character": ("mesh, skeleton, clips and poses", "clip, time → joint matrices", "#3a78b5"),
    "solve": ("linear algebra, springs, beams and curves", "equations → solutions", "#5c5fc0"),
    "base": ("errors, memory, math, wide floats, threads", "used by all", "#8a4fa3"),
}
LIBRARIES = {
    "io": ("supple_io", "glTF, rigs and other files"),
    "picture": ("supple_picture", "renders characters, draws plots"),
    "creatures": ("supple_creatures", "the built-in characters"),
}
PROGRAMS = [("tools/cli", "the program supple"), ("examples", "small programs to read"), ("hosts", "games and tools of your own")]
HEADERS = [("include/supple", "what a host needs; stable"), ("include/supple/lab", "the inside, for tools; may change")]
OUTSIDE = [("jansson", "jansson"), ("meshoptimizer", "meshoptimizer"), ("draco/", "draco"), ("EGL/", "EGL"), ("GL/", "OpenGL"),
           ("png", "libpng"), ("jpeglib", "libjpeg"), ("webp/", "libwebp")]

INK, MUTED, LINE, PAPER, SHADE = "#23262b", "#666c75", "#c9ced6", "#ffffff", "#f4f6f8"
WIDTH, MARGIN = 1120, 24
STACK_X, STACK_WIDTH = 210, 570
SIDE_X, SIDE_WIDTH = 828, 268


def sources(folder):
    for place, folders, files in os.walk(os.path.join(ROOT, folder)):
        folders.sort()
        for file in sorted(files):
            if file.endswith((".c", ".h", ".inl", ".cpp")):
                yield os.path.relpath(os.path.join(place, file), ROOT)


def read_graph():
    """Which parts a part includes, and which libraries from outside."""
    parts = sorted(name for name in os.listdir(os.path.join(ROOT, "src")) if os.path.isdir(os.path.join(ROOT, "src", name)))
    unknown = set(parts) ^ (set(CORE) | set(LIBRARIES))
    if unknown or list(CORE) != ORDER[::-1] or list(LIBRARIES) != BESIDE:
        sys.exit(f"make_architecture.py: the parts have changed: {', '.join(sorted(unknown)) or 'their order'}; say here what they are for")
    edges, outside = {}, {}
    for part in parts:
        for path in sources(f"src/{part}"):
            for _, _, name in includes(os.path.join(ROOT, path)):
                target = resolve(ROOT, path, name)
                if target and target.startswith("src/"):
                    edges.setdefault(part, set()).add(target.split("/")[1])
                for start, word in OUTSIDE if not target else []:
                    if name.startswith(start):
                        outside.setdefault(part, set()).add(word)
    return {part: found - {part} for part, found in edges.items()}, outside


def box(x, y, width, height, fill=PAPER, stroke=LINE, radius=6, dash=""):
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{fill}" stroke="{stroke}"{dashed}/>'


def text(x, y, words, size=14, fill=INK, weight="", anchor=""):
    bold = f' font-weight="{weight}"' if weight else ""
    where = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{bold}{where}>{escape(words)}</text>'


def titled(x, y, width, height, name, words, **looks):
    return [box(x, y, width, height, **looks), text(x + 14, y + 22, name, 14, INK, "600"), text(x + 14, y + 41, words, 13, MUTED)]


def down(x, top, bottom):
    """An arrow from what uses to what is used."""
    return f'<path d="M{x} {top}V{bottom - 5}" stroke="{MUTED}" stroke-width="1.5" fill="none" marker-end="url(#tip)"/>'


def top_rows():
    lines, y, width = [text(MARGIN, 42, "Programs", 15, INK, "600")], 24, WIDTH - STACK_X - MARGIN
    lines.append(box(STACK_X, y, width, 54, SHADE))
    for i, (name, words) in enumerate(PROGRAMS):
        x = STACK_X + i * width / len(PROGRAMS)
        lines += [text(x + 14, y + 22, name, 14, INK, "600"), text(x + 14, y + 41, words, 13, MUTED)]
    y += 88
    lines.append(text(MARGIN, y + 18, "Public headers", 15, INK, "600"))
    step = (width + 16) / len(HEADERS)
    for i, (name, words) in enumerate(HEADERS):
        lines += titled(STACK_X + i * step, y, step - 16, 54, name, words)
        lines.append(down(STACK_X + i * step + (step - 16) / 2, y - 34, y))
    return lines, y + 54


def core_stack(top, layers):
    """The boxes of the core from the top of the order down to base; gives their places too."""
    lines, places, y = [], {}, top
    for part, (words, flow, colour) in CORE.items():
        height = 112 if part == "layers" else 58
        places[part] = (y, height)
        lines.append(box(STACK_X, y, STACK_WIDTH, height))
        lines.append(f'<rect x="{STACK_X}" y="{y}" width="6" height="{height}" rx="3" fill="{colour}"/>')
        lines += [text(STACK_X + 20, y + 24, part, 15, INK, "600"), text(STACK_X + 20, y + 43, words, 13, MUTED),
                  text(STACK_X + STACK_WIDTH - 14, y + 24, flow, 13, colour, "600", "end")]
        if part == "layers":
            lines += chips(STACK_X + 20, y + 56, layers, colour)
        y += height + 12
    return lines, places, y - 12


def chips(x, y, names, colour):
    lines, at = [], x
    for name in names:
        width = 14 + 7.2 * len(name)
        if at + width > STACK_X + STACK_WIDTH - 10:
            at, y = x, y + 27
        lines += [box(at, y, width, 21, SHADE, colour, 10), text(at + width / 2, y + 15, name, 12, INK, anchor="middle")]
        at += width + 7
    return lines


def arcs(edges, places):
    """Arrows on the left of the stack. Long ones leave above short ones and arrive below them, so that they nest."""
    lines, order = [], list(CORE)
    coming = {part: sorted((p for p in order if part in edges.get(p, ())), key=order.index, reverse=True) for part in order}
    for source in order:
        going = sorted(edges.get(source, ()), key=order.index, reverse=True)
        for i, target in enumerate(going):
            y0, height0 = places[source]
            y1, height1 = places[target]
            start = y0 + height0 * (0.55 + 0.4 * (i + 1) / (len(going) + 1))
            end = y1 + height1 * (0.05 + 0.45 * (coming[target].index(source) + 1) / (len(coming[target]) + 1))
            bulge = 16 + 21 * (order.index(target) - order.index(source))
            colour = CORE[source][2]
            lines.append(f'<path d="M{STACK_X} {start:.1f}C{STACK_X - bulge} {start + 8:.1f} {STACK_X - bulge} {end - 8:.1f} '
                         f'{STACK_X - 7} {end:.1f}" stroke="{colour}" stroke-width="1.6" fill="none" opacity="0.85"/>')
            lines.append(f'<path d="M{STACK_X} {end:.1f}l-8 -3.6v7.2z" fill="{colour}"/>')
    return lines


def libraries(top, edges, outside, bottom):
    lines, height, gap = [], 96, 24
    trunk = SIDE_X + SIDE_WIDTH - 32
    for i, (part, (name, words)) in enumerate(LIBRARIES.items()):
        y = top + i * (height + gap)
        lines += titled(SIDE_X, y, SIDE_WIDTH, height, f"lib{name}", words)
        lines.append(text(SIDE_X + 14, y + 60, f"src/{part}", 12, MUTED))
        lines.append(text(SIDE_X + 14, y + 80, ", ".join(sorted(outside.get(part, ()), key=str.lower)) or "no other library", 12, MUTED))
    if any(edges.get(part, set()) - {"base"} for part in LIBRARIES):
        sys.exit("make_architecture.py: a library beside the core includes more than src/base")
    y = top + len(LIBRARIES) * (height + gap) - gap
    lines.append(f'<path d="M{trunk} {y}V{bottom - 29}H{STACK_X + STACK_WIDTH + 7}" stroke="{MUTED}" stroke-width="1.5" fill="none" '
                 'marker-end="url(#tip)"/>')
    lines.append(text(SIDE_X + 14, y + 40, "These see the public headers", 13, MUTED))
    lines.append(text(SIDE_X + 14, y + 58, "and src/base, nothing else.", 13, MUTED))
    return lines


def draw():
    edges, outside = read_graph()
    root = os.path.join(ROOT, "src/layers")
    layers = sorted(name for name in os.listdir(root) if os.path.isdir(os.path.join(root, name)))
    rows, y = top_rows()
    top = y + 34
    stack, places, bottom = core_stack(top, layers)
    lines = rows + [down(STACK_X + STACK_WIDTH / 2, y, top), down(SIDE_X + SIDE_WIDTH / 2, y, top)]
    lines += stack + arcs(edges, places) + libraries(top, edges, outside, bottom)
    lines += [text(MARGIN, top + 24, "libsupple", 15, INK, "600"), text(MARGIN, top + 43, "the core, in src", 13, MUTED),
              text(STACK_X, bottom + 30, "An arrow points from a part to one that it includes: always to one below it.", 13, MUTED)]
    height = bottom + 48
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="system-ui, -apple-system, \'Segoe UI\', Helvetica, Arial, sans-serif">',
        '<!-- made by tools/make_architecture.py; ./run docs writes it anew -->',
        f'<defs><marker id="tip" markerWidth="9" markerHeight="9" refX="3" refY="4" orient="auto"><path d="M0 0.6L8 4L0 7.4z" '
        f'fill="{MUTED}"/></marker></defs>', f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>', *lines, "</svg>", ""])


def main():
    path = os.path.join(ROOT, OUT)
    picture = draw()
    if sys.argv[1:] == ["--check"]:
        old = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        if old != picture:
            print(f"{OUT} is stale: the includes have changed. Run tools/make_architecture.py (./run docs does), and look at it.")
            return 1
        print(f"{OUT} is as the includes are")
        return 0
    with open(path, "w", encoding="utf-8") as file:
        file.write(picture)
    print(f"{OUT}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
