#!/usr/bin/env python3
"""Puts the table of what a file costs as it grows into docs/reliability.md.

usage: costs_page.py TABLE.md PAGE.md
"""
import sys

from page_marks import put_between


def main():
    source, page = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        put_between(page, "costs", [line.rstrip("\n") for line in file if line.startswith("|")])


if __name__ == "__main__":
    main()
