#!/usr/bin/env python3
"""examples/viewer without a screen, judged by its pixels: both ways of drawing, sliders, a blend, a crowd, a baked file."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SUPPLE = os.environ.get("SUPPLE_BIN") or os.path.join(ROOT, "build", "release", "supple")
VIEWER = os.path.join(os.path.dirname(SUPPLE), "examples", "viewer")
ASSETS = os.environ.get("SUPPLE_ASSETS") or os.path.join(ROOT, "..", "shared", "assets")
ENVIRONMENT = {**os.environ, "SDL_VIDEODRIVER": "offscreen"}
WIDTH, HEIGHT, PANEL = 480, 360, 180  # the sliders are left of PANEL


def run(*words):
    return subprocess.run([VIEWER, *words], capture_output=True, text=True, env=ENVIRONMENT, timeout=300, check=False)


def shot(folder, *words):
    """The pixels of a picture, as bytes: the body's part, and the whole."""
    path = os.path.join(folder, "shot.ppm")
    done = run(*words, "--width", str(WIDTH), "--height", str(HEIGHT), "--shot", path)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    with open(path, "rb") as file:
        data = file.read()
    head = f"P6\n{WIDTH} {HEIGHT}\n255\n".encode()
    assert data.startswith(head) and len(data) == len(head) + 3 * WIDTH * HEIGHT, words
    data = data[len(head):]
    rows = [data[3 * (y * WIDTH + PANEL):3 * (y + 1) * WIDTH] for y in range(HEIGHT)]
    return b"".join(rows), data, done.stdout


def apart(a, b, rounding=3):
    """How different two pictures are: the sum over their pixels, of 1 where black is white."""
    differences = [abs(x - y) for x, y in zip(a, b)]
    return round(sum(d for d in differences if d > rounding) / 3 / 255, 1)


def outline(pixels):
    """1 where there is something, 0 where there is background."""
    return bytes(pixels[i:i + 3] != b"\x21\x26\x2e" for i in range(0, len(pixels), 3))


def outlines_apart(a, b):
    return sum(x != y for x, y in zip(outline(a), outline(b)))


def covered(pixels):
    return sum(outline(pixels))


def check_ways(folder):
    """Helper joints on the card put the skin where the library's own vertices are; only normals are coarser there."""
    cases = [("woman", "run"), ("cat", "jump")]
    cases += [(os.path.join(ASSETS, file), clip) for file, clip in (
        ("mh_human/mh_heavy.glb", "run"), ("khronos_fox/glTF-Binary/Fox.glb", "Run"),
        ("strangers/heavywoman_unreal.glb", "run")) if os.path.exists(os.path.join(ASSETS, file))]
    for file, clip in cases:
        words = [file, "--clip", clip, "--frames", "55"]
        gpu, vertices, smooth = (shot(folder, *words, *more)[0] for more in ((), ("--way", "vertices"), ("--flesh", "0")))
        same = shot(folder, *words, "--flesh", "0", "--way", "vertices")[0]
        off, moved = outlines_apart(gpu, vertices), outlines_apart(gpu, smooth)
        print(f"{os.path.basename(file)}: {covered(gpu)} pixels of body, flesh moves {moved} of its outline, the ways "
              f"differ in {off}, without flesh in {outlines_apart(smooth, same)}")
        assert covered(gpu) > 3000 and moved >= 15 and off <= 2 and outlines_apart(smooth, same) <= 2, file


def check_sliders(folder):
    """A slider moves its bar and its region, each another one."""
    words = ["cat", "--clip", "jump", "--frames", "55"]
    usual, whole, _ = shot(folder, *words)
    less, less_whole, _ = shot(folder, *words, "--region", "belly=0")
    calf = shot(folder, *words, "--region", "calf=0")[0]
    print(f"no motion of the belly: {outlines_apart(usual, less)} pixels of the outline, of the calves "
          f"{outlines_apart(usual, calf)}")
    assert outlines_apart(usual, less) > 20 and outlines_apart(usual, calf) > 5 and outlines_apart(less, calf) > 20
    assert apart(whole, less_whole) > apart(usual, less) + 100  # the bar


def check_blend(folder):
    """From one clip to another without a jump: no frame changes a great part of what a cut does."""
    words = ["cat", "--clip", "run", "--blend", "jump", "--frames"]
    frames = [shot(folder, *words, str(n))[0] for n in range(27, 37)]
    steps = [outlines_apart(a, b) for a, b in zip(frames, frames[1:])]
    cut = outlines_apart(frames[0], shot(folder, "cat", "--clip", "jump", "--frames", "31")[0])
    print(f"a blend changes {steps} pixels a frame; from one pose to the other {cut}")
    assert max(steps) < 0.4 * cut


def check_crowd(folder):
    for way in ("gpu", "vertices"):
        words = ["cat", "--crowd", "100", "--way", way, "--frames", "20"]
        pixels, _, said = shot(folder, *words)
        assert said.startswith(f"100 bodies by {way}: poses "), said
        few = covered(shot(folder, "cat", "--crowd", "50", "--way", way, "--frames", "20")[0])
        print(f"{way}: a hundred cover {covered(pixels)} pixels, fifty {few}; {said.strip()}")
        assert covered(pixels) > 1.2 * few > 1000
        if way == "gpu":
            first = pixels
    assert apart(first, pixels) < 0.01 * covered(pixels)


def check_baked(folder):
    """The viewer's flesh is what a bake holds for every player: plain skinning of the baked file, in the same frame."""
    baked = os.path.join(folder, "baked.glb")
    subprocess.run([SUPPLE, "bake", "cat", baked, "--clip", "run"], check=True, capture_output=True)
    words = ["--clip", "run", "--frames", "170"]
    live = shot(folder, "cat", *words)[0]
    smooth = shot(folder, "cat", "--flesh", "0", *words)[0]
    played = shot(folder, baked, "--flesh", "0", *words)[0]
    off, moved = outlines_apart(live, played), outlines_apart(live, smooth)
    print(f"the baked file's outline is {off} pixels off the living one, the smooth one {moved}")
    assert moved > 20 and off < 0.5 * moved


def check_words(folder):
    for words, code, line in ((["--nonsense"], 2, "not understood"), (["--crowd", "101"], 2, "not understood"),
                              ([os.path.join(folder, "nosuch.glb")], 1, "cannot be opened"),
                              (["cat", "--clip", "fly"], 1, "no clip"), (["cat", "--region", "wing=1"], 1, "no such region"),
                              (["cat", "--flesh", "much"], 1, "--flesh"),
                              (["cat", "--shot", os.path.join(folder, "no", "such.ppm")], 1, "cannot be written")):
        done = run(*words)
        assert done.returncode == code and line in done.stderr, (words, done.returncode, done.stderr)


def main():
    if subprocess.run(["cmake", "--build", os.path.dirname(SUPPLE), "--target", "viewer"], capture_output=True,
                      check=False).returncode != 0:
        print("the viewer could not be built (SDL2's headers are needed)")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_words, check_ways, check_sliders, check_blend, check_crowd, check_baked):
            check(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
