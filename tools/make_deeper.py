#!/usr/bin/env python3
"""Draws the pictures of docs/deeper-flesh.md that are made by `supple render`: what volume, contact and clothes look at.

SUPPLE_BIN: the program, build/release/supple by default. SUPPLE_ASSETS: the characters, ../shared/assets by default.
"""
import json
import os
import subprocess
import tempfile

SUPPLE = os.environ.get("SUPPLE_BIN", "build/release/supple")
ASSETS = os.environ.get("SUPPLE_ASSETS", "../shared/assets")
OUT = "docs/pictures"
JACKET = "Cube.007"


def found_rig(source, folder):
    path = f"{folder}/found.rig.json"
    subprocess.run([SUPPLE, "rig", source, path, "--force"], check=True, stdout=subprocess.DEVNULL)
    return json.load(open(path, encoding="utf-8"))


def render(source, rig, folder, picture, *words):
    print(f"deeper: {picture}", flush=True)
    path = f"{folder}/{picture}.rig.json"
    json.dump(rig, open(path, "w", encoding="utf-8"))
    subprocess.run([SUPPLE, "render", source, f"{OUT}/{picture}.webp", "--rig", path, *words], check=True,
                   stderr=subprocess.DEVNULL)


def on_each_element(rig, layer):
    return {**rig, layer: [{"element": element["name"]} for element in rig["elements"]]}


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    with tempfile.TemporaryDirectory() as folder:
        woman = found_rig("woman", folder)
        render("woman", on_each_element(woman, "volumes"), folder, "woman_volume", "--clip", "jump", "--time", "0.3",
               "--show", "skin,volume", "--size", "500x600")
        render("woman", on_each_element(woman, "contacts"), folder, "woman_contact", "--clip", "run", "--show",
               "skin,contact", "--size", "480x480", "--camera-follow")
        robot = f"{ASSETS}/quaternius/Character.glb"
        if not os.path.exists(robot):
            print("deeper: the robot is not at hand (SUPPLE_ASSETS): robot_clothes stays as it is")
            return
        rig = found_rig(robot, folder)
        for element in rig["elements"]:
            element.update(skipMeshes=[JACKET], skipRigid=False)
        rig["clothes"] = [{"mesh": JACKET}]
        render(robot, rig, folder, "robot_clothes", "--clip", "CharacterArmature|Run", "--time", "0.3", "--show",
               "skin,clothes", "--size", "600x600")


main()
