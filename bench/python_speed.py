#!/usr/bin/env python3
"""`step` and `skin` with normals on a character, in C and in Python by turns: the same library, body and arrays in one process.

usage: bench/python_speed.py [FILE.glb]      (default: the heavy man among the assets)

tests/python/python_loop.c is the loop in C. Time of the thread; short rounds, each language first in half of them, so that
other work on the machine meets both alike.
"""
import ctypes
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python", "test"))
import support  # noqa: E402
import numpy as np  # noqa: E402
import supple  # noqa: E402
from supple._native import address, lib  # noqa: E402

ROUNDS, FRAMES, DT = 1000, 20, 1 / 64


def loop_in_c(body, joints, positions, normals):
    """The loop of python_loop.c with its arguments bound."""
    run = ctypes.CDLL(os.path.join(support.BUILD, "tests", "python_loop.so")).supRunFrames
    run.restype = ctypes.c_int
    pointer = ctypes.c_void_p
    step, skin = (ctypes.cast(one, pointer) for one in (lib.supBody_Step, lib.supBody_Skin))
    arguments = (step, skin, pointer(body._pointer), pointer(address(joints)), ctypes.c_float(DT), pointer(address(positions)),
                 pointer(address(normals)), FRAMES)

    def loop():
        if run(*arguments):
            raise SystemExit("a step was refused")
    return loop


def loop_in_python(body, joints, positions, normals):
    def loop():
        for _ in range(FRAMES):
            body.step(joints, DT)
            body.skin(positions, normals)
    return loop


def microseconds(loop):
    """Time of one frame."""
    start = time.thread_time_ns()
    loop()
    return (time.thread_time_ns() - start) / 1000 / FRAMES


def main():
    character = supple.Character.load(sys.argv[1] if len(sys.argv) > 1 else support.man())
    body, pose = supple.Model(character, supple.propose_rig(character)).body(), character.pose()
    positions, normals = np.empty((2, character.vertex_count, 3), np.float32)
    for frame in range(60):
        body.step(pose.sample(0, frame * DT), DT)
        body.skin(positions, normals)
    loops = [make(body, pose.joints, positions, normals) for make in (loop_in_c, loop_in_python)]
    times = ([], [])
    for number in range(ROUNDS):
        for which in ((0, 1), (1, 0))[number % 2]:
            times[which].append(microseconds(loops[which]))
    for name, pick in (("best", min), ("median", statistics.median)):
        c, python = map(pick, times)
        print(f"{character.vertex_count} vertices, {name} of {ROUNDS} rounds: C {c:.2f} us, Python {python:.2f} us, "
              f"{100 * (python / c - 1):+.1f}%")


if __name__ == "__main__":
    main()
