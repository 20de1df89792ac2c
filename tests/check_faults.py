#!/usr/bin/env python3
"""Lets everything fail that the program asks of the system, one call after the other, and looks at what is left.

Each command runs once untouched: then it is known which files it makes and how often it makes each call (see
faults/fault_shim.c). After that it runs again and again, each time with one call that fails, a disk that is full after
so many bytes, or a signal at some moment. It must then end by itself with words and a failure, or with success; every
output must be the old file or the whole new one; and no temporary file may stay behind.

usage: check_faults.py PROGRAM SHIM [--all] [--kills N] [--seed N] [--only NAME]
    --all     every call of every kind, every byte of small outputs; else as many as take some seconds
    --kills   how often each command is ended at a random moment (6)
"""
import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults"))
from small_character import tube, write_glb, write_gltf  # noqa: E402

RIG = '{"elements":[{"driver":"bone0"}]}'
MANIFEST = """{"characters": ["tube.glb", "other.glb"], "motions": ["move.glb"],
               "outputs": {"a": {}, "b": {"as": "morphs"}}, "options": {"rig": "tube.rig.json", "map": "map.json"}}"""
OLD = b"the old file\n"
# name, command, outputs that are there before. Inputs stand in ../in.
COMMANDS = [
    ("bake", "bake ../in/tube.gltf out.gltf --rig ../in/tube.rig.json", ["out.gltf"]),
    ("morphs", "bake ../in/tube.glb out.glb --as morphs --rig ../in/tube.rig.json", ["out.glb"]),
    ("cache", "bake ../in/tube.glb out.pc2 --rig ../in/tube.rig.json", ["out-swing0.pc2"]),
    ("rig", "rig ../in/tube.glb out.rig.json --force", ["out.rig.json"]),
    ("many", "bake ../in/tube.glb ../in/other.glb --out-dir out --rig ../in/tube.rig.json -j 2", []),
    ("farm", "bake ../in/tube.glb ../in/other.glb --out-dir out --cache kept --rig ../in/tube.rig.json -j 2", []),
    ("list", "bake --manifest ../in/list.json --out-dir out --cache kept -j 2", []),
    ("import", "rig ../in/rigged.glb out.rig.json --force --import ../in/tuned.json", ["out.rig.json"]),
    ("motion", "bake ../in/tube.glb out.glb --motion ../in/move.glb --map ../in/map.json --rig ../in/tube.rig.json",
     ["out.glb"]),
    ("inspect", "inspect ../in/tube.gltf --json", []),
    ("render", "render ../in/tube.glb out.png --size 64x64 --rig ../in/tube.rig.json --strip 2", ["out.png"]),
]
# These leave something behind by their nature: what cannot be removed stays.
LEAVES = {"unlink"}
failures = []
counts = {}


def make_inputs(folder):
    os.mkdir(folder)
    document, data = tube()
    write_glb(f"{folder}/tube.glb", document, data)
    write_glb(f"{folder}/other.glb", document, data)
    write_gltf(f"{folder}/tube.gltf", document, data)
    document["extensions"] = {"SUPPLE_rig": json.loads(RIG)}
    write_glb(f"{folder}/rigged.glb", document, data)
    moved, more = tube(clips=1, keys=5)
    moved["nodes"][0]["name"] = "else"
    write_glb(f"{folder}/move.glb", moved, more)
    for name, text in (("map.json", '{"else":"bone0"}'), ("tube.rig.json", RIG), ("list.json", MANIFEST),
                       ("tuned.json", '{"system":"kawaii","bones":[{"bone":"bone0","damping":0.5}]}')):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)


def files_below(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return {name: data for name, data in found.items() if not is_timed(name)}


def is_timed(name):
    """Reports of a farm say how long it took."""
    return name.endswith(".json") and name.startswith(("kept/", "out/records/"))


class Run:
    """One run of a command in a folder of its own."""

    def __init__(self, root, program, command, before, environment=None, limit=None, end_after=None, end_by=None):
        self.folder = tempfile.mkdtemp(dir=root)
        self.before = {name: OLD for name in before}
        for name in before:
            with open(f"{self.folder}/{name}", "wb") as file:
                file.write(OLD)

        def prepare():
            os.setpgrp()
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        process = subprocess.Popen([program] + command.split(), cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, **(environment or {})},
                                   preexec_fn=prepare)
        if end_after is not None:
            time.sleep(end_after)
            process.send_signal(end_by)
        try:
            self.out, self.err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.out, self.err = process.communicate()
            self.err += b"(hangs)"
        self.code = process.returncode
        self.files = files_below(self.folder)

    def drop(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def find_broken(files, wanted):
    """None, or in words which output is neither old, absent nor as in the good run; a .gltf goes with its .bin."""
    for name, data in files.items():
        if name.endswith(".tmp") or data == OLD or wanted.get(name) == data:
            continue
        return f"{name} is neither the old file nor the new one ({len(data)} bytes)"
    text = files.get("out.gltf")
    if text is not None and text != OLD:
        for name, data in wanted.items():
            if name.endswith(".bin") and files.get(name) != data:
                return f"out.gltf is the new one, and {name} is not"
    return None


def judge(what, run, good, temporaries, may_end_by=()):
    counts[what.split()[0]] = counts.get(what.split()[0], 0) + 1
    problem = find_broken(run.files, good.files)
    words = run.err.decode(errors="replace")
    if problem is None and run.code < 0 and -run.code not in may_end_by:
        problem = f"ended by signal {-run.code}"
    if problem is None and run.code not in (0, 1) and run.code >= 0:
        problem = f"exit code {run.code}"
    if problem is None and run.code == 1 and "supple" not in words:
        problem = "failed without words"
    if problem is None and run.code == 0 and run.files != good.files:
        missing = [name for name in good.files if run.files.get(name) != good.files[name]]
        if missing:
            problem = f"success, but {missing[0]} is not what it should be"
    if problem is None and "(hangs)" in words:
        problem = "hangs"
    if problem is None and ("AddressSanitizer" in words or "LeakSanitizer" in words or "runtime error" in words):
        problem = "the sanitizer has found something"
    left = [name for name in run.files if name.endswith(".tmp")]
    if problem is None and left and not temporaries:
        problem = f"leaves {left[0]} behind"
    if problem is not None:
        failures.append(what)
        print(f"{what}: {problem}\n    {words.strip()[:1500]}")
    run.drop()


def spread(count, most, rng):
    """All numbers from 1 on, or `most` of them: the first and last ones and a choice between."""
    if count <= most:
        return range(1, count + 1)
    edge = most // 4
    return sorted(set(range(1, edge + 1)) | set(range(count - edge + 1, count + 1)) |
                  set(rng.sample(range(1, count + 1), most - 2 * edge)))


def try_command(options, root, rng, name, command, before):
    counted = f"{root}/counts"
    shim = {"LD_PRELOAD": options.shim}
    good = Run(root, options.program, command, before, {**shim, "SUP_FAULT_COUNTS": counted})
    if good.code != 0:
        text = good.err.decode(errors="replace")
        if name == "render" and ("EGL" in text or "OpenGL" in text):
            print(f"{name}: skipped, no EGL here")
            return
        failures.append(name)
        print(f"{name}: does not work untouched: {text}")
        return
    called = {}
    for line in open(counted, encoding="utf-8"):
        call, count = line.split()
        called[call] = int(count)
    if not any(file for file in good.files if good.files[file] != OLD) and name != "inspect":
        failures.append(name)
        print(f"{name}: writes nothing")
    for call, count in called.items():
        memory = call == "malloc"
        most = 10**9 if options.all else (options.memory if memory else options.calls)
        if name == "render" and call in ("malloc", "pthread_create"):
            most = 0  # the graphics driver's own, which it does not look at
        for number in spread(count, most, rng) if most > 0 else []:
            run = Run(root, options.program, command, before, {**shim, "SUP_FAULT": f"{call}:{number}"})
            judge(f"{name} {call}:{number}", run, good, call in LEAVES)
        if memory and most > 0:
            for number in spread(count, most // 2, rng):
                run = Run(root, options.program, command, before, {**shim, "SUP_FAULT": f"{call}:{number}:on"})
                judge(f"{name} {call}:{number}:on", run, good, True)
        if call in ("rename", "fwrite", "fsync", "fclose", "unlink"):
            for number in spread(count, most, rng):
                for how, ends in (("kill", signal.SIGKILL), ("term", signal.SIGTERM)):
                    run = Run(root, options.program, command, before, {**shim, "SUP_FAULT": f"{call}:{number}:{how}"})
                    judge(f"{name} {call}:{number}:{how}", run, good, how == "kill", (ends,))
    largest = max([len(data) for data in good.files.values()] or [0])
    limits = range(0, largest, 1 if options.all and largest < 4000 else max(1, largest // (400 if options.all else 12)))
    for limit in limits:
        judge(f"{name} full:{limit}", Run(root, options.program, command, before, limit=limit), good, False)
    start = time.time()
    Run(root, options.program, command, before).drop()
    seconds = time.time() - start
    for number in range(options.kills):
        ends = rng.choice((signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGHUP))
        run = Run(root, options.program, command, before, end_after=rng.uniform(0, 1.1 * seconds), end_by=ends)
        judge(f"{name} signal:{number}", run, good, ends == signal.SIGKILL,
              (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGHUP))
    good.drop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--calls", type=int, default=4)
    parser.add_argument("--memory", type=int, default=12)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.program, options.shim = os.path.abspath(options.program), os.path.abspath(options.shim)
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as root:
        make_inputs(f"{root}/in")
        for name, command, before in COMMANDS:
            if options.only in name:
                try_command(options, root, rng, name, command, before)
    total = sum(counts.values())
    print(f"{total} runs ({', '.join(f'{name} {count}' for name, count in counts.items())}), {len(failures)} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
