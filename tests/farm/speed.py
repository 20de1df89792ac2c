"""What a farm costs: N jobs on Slurm, two slots, half of them unchanged, beside two independent copies of the program that
bake the changed half."""

import json
import os
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
        subprocess.run([supple, "bake", name, f"{folder}/{name}.glb", "--live", "--no-embed"],
                       stdout=subprocess.DEVNULL, check=True)
        with open(f"{folder}/{name}.glb", "rb") as file:
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


def two_copies(folder, supple):
    """Seconds of two copies of the program that bake the changed half."""
    start = time.time()
    copies = [subprocess.Popen([supple, "bake", f"{folder}/{part}", "--out-dir", f"{folder}/out{part}", "--jobs", "1"],
                               stdout=subprocess.DEVNULL) for part in ("1", "2")]
    assert [copy.wait() for copy in copies] == [0, 0]
    return time.time() - start


def on_slurm(folder, farm, out):
    start = time.time()
    subprocess.run([farm, f"{folder}/night.json", out, "--shards", "8", "--slots", "2", "--wait"], check=True,
                   stdout=subprocess.DEVNULL)
    return time.time() - start


def prepare(folder, supple, count):
    """Inputs, and the half of them baked that comes to be unchanged."""
    os.makedirs(f"{folder}/before")
    write_inputs(folder, supple, count)
    for name in os.listdir(f"{folder}/0"):
        if int(name.rpartition("-")[2][:5]) % 2 == 0:
            os.link(f"{folder}/0/{name}", f"{folder}/before/{name}")
    out = f"{folder}/out"
    subprocess.run([supple, "bake", f"{folder}/before", "--out-dir", out, "--cache", f"{out}/cache"], check=True,
                   stdout=subprocess.DEVNULL)


def measure(folder, supple, farm, count):
    """Two rounds, once the one first and once the other: what else the machine does must not decide."""
    seconds = {"copies": 0.0, "farm": 0.0}
    for order in (["copies", "farm"], ["farm", "copies"]):
        part = f"{folder}/{order[0]}"
        prepare(part, supple, count // 2)
        for one in order:
            took = two_copies(part, supple) if one == "copies" else on_slurm(part, farm, f"{part}/out")
            print(f"{one}: {took:.1f} s", flush=True)
            seconds[one] += took
    print(f"two copies: {count // 2} bakes in {seconds['copies']:.1f} s; on Slurm: {count} jobs, half of them unchanged, in "
          f"{seconds['farm']:.1f} s: {100 * seconds['copies'] / seconds['farm']:.1f}%", flush=True)
    print(f"a second run of {count // 2} jobs, which bakes nothing: {on_slurm(part, farm, f'{part}/out'):.1f} s")
    return 0
