#!/usr/bin/env python3
"""Writes what examples/lab/spring_against_fat.c prints into its page.

usage: example_spring_against_fat FOLDER | spring_page.py PAGE.md
"""
import sys

from page_marks import put_between


def main():
    lines = sys.stdin.read().strip().split("\n")
    if not any(line.startswith("| to set up") for line in lines):
        sys.exit("spring_page.py: the program has not come to its end")
    put_between(sys.argv[1], "figures", lines)


if __name__ == "__main__":
    main()
