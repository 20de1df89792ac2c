#!/usr/bin/env python3
"""tools/farm on a Slurm cluster of one node that is started here: a bake that fails, a task that is killed, a node that
dies in the middle, and a second run that bakes nothing.

    check_farm.py [--count N]    with N: how much N jobs, half of them unchanged, take beside two copies of the program
"""

import argparse
import csv
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import time

import cluster
import speed

ROOT = os.path.abspath(f"{os.path.dirname(__file__)}/../..")
SUPPLE = os.environ.get("SUPPLE_BIN", f"{ROOT}/build/release/supple")
FARM = f"{ROOT}/tools/farm/farm"

MANIFEST = """{ "characters": [ "in/*.glb", "arm", "leg" ], "presets": [ "natural", "heavy", "cartoon" ],
  "outputs": { "four": { "influences": 4 }, "eight": { "influences": 8 } } }"""

failures = []


def check(what, good, told=""):
    print(f"{'ok  ' if good else 'FAIL'} {what}{f': {told}' if told else ''}", flush=True)
    if not good:
        failures.append(what)


def results(out):
    """Bytes stand for a result only together with when they were written."""
    return {name: os.stat(f"{out}/{name}").st_mtime_ns for name in os.listdir(out) if name.endswith(".glb")}


def recorded(out):
    known = set(os.listdir(f"{out}/records")) if os.path.isdir(f"{out}/records") else set()
    return {name: when for name, when in results(out).items() if f"{name[:-4]}.json" in known}


def rows(out):
    with open(f"{out}/report.csv", encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def prepare(folder):
    os.makedirs(f"{folder}/in")
    for name in ("mushroom", "finger"):
        subprocess.run([SUPPLE, "bake", name, f"{folder}/in/my-{name}.glb", "--live", "--no-embed"],
                       stdout=subprocess.DEVNULL, check=True)
    with open(f"{folder}/in/broken.glb", "w", encoding="utf-8") as file:
        file.write("no glTF")
    with open(f"{folder}/night.json", "w", encoding="utf-8") as file:
        file.write(MANIFEST)


def farm(folder, out, *options):
    return subprocess.Popen([FARM, f"{folder}/night.json", out, "--shards", "6", "--slots", "2", "--wait", *options],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def bakes_of(folder):
    """The running `supple bake --shard` of this test's cluster."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if "--shard" in words and any(word.startswith(folder) for word in words) and words[0].endswith("supple"):
            found.append(int(entry))
    return found


def working(folder):
    """Shards that have a bake under way, and that."""
    families = [cluster.below(one) for one in bakes_of(folder)]
    return [(family[0], family[-1]) for family in families if len(family) > 1]


def trouble(folder, out, running):
    """Kills a bake and a shard of the first run, then the whole node; gives what stood whole just before."""
    found = []
    running.wait(lambda: found.extend(working(folder)) or found, "a bake", 300)
    shard, bake = found[0]
    cluster.kill(bake)
    time.sleep(0.1)
    cluster.kill(shard)
    # a result is whole when it is recorded: before that it may stand there and not be known yet
    running.wait(lambda: len(recorded(out)) >= 4, "four results", 300)
    before = recorded(out)
    ended = running.end_node()
    check("the node died while it worked", ended > 1, f"{ended} processes, {len(before)} of 24 results were there")
    running.wait(lambda: "down" in running.ask("sinfo", "--noheader", "--format=%T"), "a node that is down", 120)
    check("nothing works any more", bakes_of(folder) == [])
    running.start_node()
    return before


def first_run(folder, out, running):
    call = farm(folder, out, "--pictures")
    before = trouble(folder, out, running)
    said, _ = call.communicate(timeout=900)
    print(said)
    check("a job that failed is told by the exit code", call.returncode == 1, call.returncode)
    report = rows(out)
    check("the report has all jobs", len(report) == 30, len(report))
    good = {name: row for name, row in report.items() if row["state"] in ("baked", "cache", "unchanged")}
    check("all good jobs are done", len(good) == 24, len(good))
    bad = [row for row in report.values() if row["state"] == "failed"]
    check("the others say why", len(bad) == 6 and all("not a glTF file" in row["error"] for row in bad))
    after = results(out)
    check("what was whole when the node died was not baked again",
          all(after.get(name) == when for name, when in before.items()))
    check("every result has a picture", len(os.listdir(f"{out}/pictures")) == 24, len(os.listdir(f"{out}/pictures")))
    with open(f"{out}/index.html", encoding="utf-8") as file:
        page = file.read()
    check("the contact sheet shows all of them", page.count("<img ") == 24 and page.count("class=failed") >= 6)


def same_bytes(folder, out):
    """Against the program by itself, one call a file."""
    for name, words in {"arm-heavy-eight": ["arm", "--preset", "heavy", "--influences", "8"],
                        "my-finger-natural-four": [f"{folder}/in/my-finger.glb", "--influences", "4"],
                        "my-mushroom-cartoon-four": [f"{folder}/in/my-mushroom.glb", "--preset", "cartoon",
                                                     "--influences", "4"]}.items():
        one = f"{folder}/one.glb"
        subprocess.run([SUPPLE, "bake", words[0], one, *words[1:]], stdout=subprocess.DEVNULL, check=True)
        check(f"{name}: the bytes of a call by itself", filecmp.cmp(one, f"{out}/{name}.glb", shallow=False))


def second_run(folder, out):
    os.remove(f"{folder}/in/broken.glb")
    os.remove(f"{out}/arm-heavy-four.glb")
    before = results(out)
    call = farm(folder, out)
    said, _ = call.communicate(timeout=600)
    print(said)
    after = results(out)
    check("a second run succeeds", call.returncode == 0, call.returncode)
    check("and bakes nothing", all(after[name] == when for name, when in before.items()))
    row = rows(out)["arm-heavy-four"]
    check("a result that was lost comes from the cache", "arm-heavy-four.glb" in after and row["state"] == "cache")


def wrong_calls(folder):
    for words, told in [([f"{folder}/none.json", folder], "cannot be read"), ([f"{folder}/night.json"], "are needed"),
                        ([f"{folder}/night.json", folder, "--shards", "0"], "at least 1")]:
        done = subprocess.run([FARM, *words], capture_output=True, text=True, check=False)
        check(f"farm says '{told}'", done.returncode == 2 and told in done.stderr, done.stderr.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int)
    count = parser.parse_args().count
    if cluster.lacks():
        print(f"no {', '.join(cluster.lacks())}: Debian's slurm-wlm and munge have them")
        return 77
    os.environ["SUPPLE_BIN"] = SUPPLE
    folder = os.path.realpath(tempfile.mkdtemp(prefix="supple-farm-"))
    try:
        with cluster.Cluster(f"{folder}/cluster", 2) as running:
            if count:
                return speed.measure(folder, SUPPLE, FARM, count)
            prepare(folder)
            wrong_calls(folder)
            first_run(folder, f"{folder}/out", running)
            same_bytes(folder, f"{folder}/out")
            second_run(folder, f"{folder}/out")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(failures)} failures" if failures else "all good")
    return 1 if failures else 0


if __name__ == "__main__":
    start = time.time()
    code = main()
    print(f"{time.time() - start:.0f} s")
    sys.exit(code)
