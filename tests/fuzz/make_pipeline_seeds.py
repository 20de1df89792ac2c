#!/usr/bin/env python3
"""Makes the rows of choices that fuzzing of whole pipelines and of live calls starts from.

usage: make_pipeline_seeds.py CORPUS-FOLDER COUNT LENGTH
"""
import os
import random
import sys

folder, count, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.makedirs(folder, exist_ok=True)
for number in range(count):
    choice = random.Random(number)
    with open(os.path.join(folder, f"row{number:02}"), "wb") as file:
        file.write(bytes(choice.randrange(256) for _ in range(length)))
