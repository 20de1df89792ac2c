#!/usr/bin/env python3
"""`step` and `skin` with normals on a character, in C and in Python by turns, in one run: time of the processor, best of the rounds.

usage: bench/python_speed.py [FILE.glb]      (default: the heavy man among the assets)
"""
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python", "test"))
import support  # noqa: E402
import numpy as np  # noqa: E402
import supple  # noqa: E402


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else support.man()
    character = supple.Character.load(path)
    body, pose = supple.Model(character, supple.propose_rig(character)).body(), character.pose()
    positions, normals = np.empty((2, character.vertex_count, 3), np.float32)
    for frame in range(60):
        body.step(pose.sample(0, frame / 64), 1 / 64)
        body.skin(positions, normals)

    def here():
        joints, best = pose.joints, 1e9
        for _ in range(50):
            start = time.process_time()
            for _ in range(100):
                body.step(joints, 1 / 64)
                body.skin(positions, normals)
            best = min(best, (time.process_time() - start) / 100 * 1e6)
        return best

    rounds = [(float(support.truth(path, "time")), here()) for _ in range(15)]
    c, python = (min(one) for one in zip(*rounds))
    ratio = statistics.median(b / a for a, b in rounds)
    print(f"{character.vertex_count} vertices, best of 15 rounds: C {c:.1f} us, Python {python:.1f} us, {100 * (python / c - 1):+.1f}%; "
          f"median of the rounds' ratios {100 * (ratio - 1):+.1f}%")


if __name__ == "__main__":
    main()
