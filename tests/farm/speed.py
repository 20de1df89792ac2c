"""What a farm costs: N jobs on Slurm, two slots, half of them unchanged, beside two independent copies of the program that
bake the changed half."""

import json
import os
import resource
import struct
import subprocess
import time

CHARACTERS = ["woman", "cat", "horse", "mushroom", "torso"]


def vary(data, number):
    """The same character as another file: a number among the extras of its asset."""
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + length])
    document["asset"]["extras"] = {"number": number}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest)) + struct.pack("<I4s", len(text), b"JSON")
    return head + text + rest


def write_inputs(folder, supple, count):
    """Folder 0: all. Folders 1 and 2: halves of those that come to be changed, every second of all."""
    plain = []
    for name in CHARACTERS:
        subprocess.run([supple, "demo", name, f"{folder}/demo"], stdout=subprocess.DEVNULL, check=True)
        with open(f"{folder}/demo/{name}.glb", "rb") as file:
            plain.append(file.read())
    for part in ("0", "1", "2"):
        os.makedirs(f"{folder}/{part}", exist_ok=True)
    for i in range(count):
        name = f"{CHARACTERS[i // 2 % len(CHARACTERS)]}-{i:05}.glb"
        with open(f"{folder}/0/{name}", "wb") as file:
            file.write(vary(plain[i // 2 % len(CHARACTERS)], i))
        if i % 2 == 1:
            os.link(f"{folder}/0/{name}", f"{folder}/{1 + i // 2 % 2}/{name}")
    with open(f"{folder}/night.json", "w", encoding="utf-8") as file:
        json.dump({"characters": ["0/*.glb"]}, file)


def spent():
    """Seconds of processors that ended children of this process have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def two_copies(folder, supple):
    """Seconds of two copies of the program that bake the changed half, and those of processors."""
    start, before = time.time(), spent()
    copies = [subprocess.Popen([supple, "bake", f"{folder}/{part}", "--out-dir", f"{folder}/out{part}", "--jobs", "1"],
                               stdout=subprocess.DEVNULL) for part in ("1", "2")]
    assert [copy.wait() for copy in copies] == [0, 0]
    return time.time() - start, spent() - before


def ticks_of(processes):
    """Seconds of processors that these and their ended children have taken so far."""
    total = 0
    for process in processes:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
            total += sum(int(word) for word in file.read().rpartition(")")[2].split()[11:15])
    return total / os.sysconf("SC_CLK_TCK")


def on_slurm(folder, farm, out, running):
    start, before = time.time(), spent()
    daemons = ticks_of(running.processes.values())
    subprocess.run([farm, f"{folder}/night.json", out, "--shards", "8", "--slots", "2", "--wait"], check=True,
                   stdout=subprocess.DEVNULL)
    return time.time() - start, spent() - before + ticks_of(running.processes.values()) - daemons


def measure(folder, supple, farm, running, count):
    write_inputs(folder, supple, count)
    out = f"{folder}/out"
    # the unchanged half has been baked before
    os.makedirs(f"{folder}/before")
    for name in sorted(os.listdir(f"{folder}/0")):
        if int(name.rpartition("-")[2][:5]) % 2 == 0:
            os.link(f"{folder}/0/{name}", f"{folder}/before/{name}")
    subprocess.run([supple, "bake", f"{folder}/before", "--out-dir", out, "--cache", f"{out}/cache"], check=True,
                   stdout=subprocess.DEVNULL)
    baked, processors = two_copies(folder, supple)
    print(f"two copies: {count // 2} bakes in {baked:.1f} s, {processors:.1f} s of processors", flush=True)
    farmed, worked = on_slurm(folder, farm, out, running)
    print(f"on Slurm: {count} jobs, half of them unchanged, in {farmed:.1f} s, about {worked:.1f} s of processors")
    print(f"{100 * baked / farmed:.1f}% of what two copies give together")
    again, _ = on_slurm(folder, farm, out, running)
    print(f"the second run: {again:.1f} s; it bakes nothing")
    return 0
