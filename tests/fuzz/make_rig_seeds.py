#!/usr/bin/env python3
"""Makes the small rigs that fuzzing starts from, tests/fuzz/corpus/rig, and the words of its dictionary from the published schema.

usage: make_rig_seeds.py CORPUS-FOLDER DICTIONARY
"""
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAINT = {"fingerprint": "0x23473be353962627", "meshes": [{"mesh": "m", "index": 0, "vertices": [1, 4, 7], "values": [0.25, 1, 0.5]}]}

# The limb of fuzz_rig.c has the joints "a", "b", "b", the mesh "m" and the material "t".
ELEMENTS = {
    "plain": {"driver": "a"},
    "ends": {"driver": "a", "ends": ["b#1", {"name": "b", "index": 2}], "joints": ["a", "b#2"]},
    "end": {"driver": "b#2", "end": [0, "-40%", 0.1], "joints": ["a", "b#1"], "skipMeshes": ["x"], "skipMaterials": ["y"]},
    "facing": {"driver": "a", "facing": [0, 0, 1], "spread": 1.2, "boneThickness": "5mm"},
    "spheres": {"driver": "a", "spheres": [{"center": [0, "2cm", 0], "radius": 0.3}]},
    "hermite": {"driver": "a", "attenuation": "hermite", "attenuationKeys": [[-1, 0], [0.1, 1], [1, 0]]},
    "physical": {"driver": "a", "mass": 2, "stiffness": 900.5, "damping": 1.5, "gravity": "plain", "gravityScale": -2},
    "clamp": {"driver": "a", "limit": "clamp", "limitScale": 0.5, "attenuation": "wyvill", "airFriction": 3, "density": 900},
    "artist": {"driver": "a", "frequency": 2.5, "dampingRatio": 0.05, "amount": 4, "sag": 1.5},
    "paint": {"driver": "a", "paint": PAINT},
    "wrong": {"driver": "a", "frequncy": 3},
}
# Curves: all of the limb, and two items by their joints.
CURVES = {
    "curves": [{}],
    "curves_held": [{"tolerance": 0.05, "bending": 0, "dampingRatio": 0, "amount": 10, "sag": 10, "limit": 10, "apart": 1, "volume": 1, "folds": 1}],
    "curves_two": [{"joints": ["a"], "frequency": 0.01}, {"name": "rest", "frequency": 1000, "bending": 1000}],
    "curves_wrong": [{"joints": ["a"]}, {"joints": ["a", "c"]}],
}
# Fat: with the skin as its inner border there is none, and an inner mesh that is not there.
FAT = {
    "fat": [{"nodes": 20, "modes": 1, "meshes": ["m"]}],
    "fat_inner": [{"nodes": 20, "modes": 1, "inner": ["m"]}],
    "fat_both": [{"voxel": 0.3, "modes": 1, "meshes": ["m"], "inner": ["n", "m", "m"], "depth": 0.95}],
}
EXTRA = ["mm\"", "cm\"", "m\"", "%\"", "1e-9", "1e12", "-1", "0.5", "#1", "null", "true", "\\u0041", "\"_note\":", "[0,0,1]"]


def words(schema, found):
    """Keys and choices of a schema, in the order in which they stand."""
    if isinstance(schema, dict):
        for name in schema.get("properties", {}):
            found.append(f'"{name}":')
        for choice in schema.get("enum", []):
            found.append(f'"{choice}"')
        for value in schema.values():
            words(value, found)
    elif isinstance(schema, list):
        for value in schema:
            words(value, found)
    return found


def main():
    folder, dictionary = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    for name, element in ELEMENTS.items():
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as out:
            json.dump({"elements": [element]}, out)
    for layer, seeds in (("curves", CURVES), ("fat", FAT)):
        for name, items in seeds.items():
            with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as out:
                json.dump({layer: items}, out)
    whole = {"supple": 1, "gravity": [0, -9.81, 0.5], "_note": {}, "extras": 1}
    whole["elements"] = [dict(e, name=n) for n, e in ELEMENTS.items() if n not in ("wrong", "paint")]
    with open(os.path.join(folder, "whole.json"), "w", encoding="utf-8") as out:
        json.dump(whole, out, indent=1)
    with open(os.path.join(folder, "empty.json"), "w", encoding="utf-8") as out:
        out.write("{}")
    schema = json.load(open(os.path.join(ROOT, "docs", "rig.schema.json"), encoding="utf-8"))
    with open(dictionary, "w", encoding="utf-8") as out:
        out.write("# Words of rigs, made by make_rig_seeds.py.\n")
        for word in sorted(set(words(schema, []))) + EXTRA:
            out.write('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"\n')


if __name__ == "__main__":
    main()
