#!/usr/bin/env python3
"""Counts the tests in ctest's JUnit files: each cmocka case is one test, every other ctest is one.

usage: count_results.py FILE.xml...     prints "PASSED FAILED SKIPPED", then a line for each ctest that failed
"""
import re
import sys
import xml.etree.ElementTree as xml

SUMMARY = re.compile(r"^\[  (PASSED |SKIPPED|FAILED ) \] (\d+) test\(s\)", re.M)


def count(case):
    """(passed, failed, skipped) of one ctest."""
    output = case.findtext("system-out") or ""
    status = case.get("status")
    sums = {"PASSED": 0, "FAILED": 0, "SKIPPED": 0}
    for word, number in SUMMARY.findall(output):
        sums[word.strip()] += int(number)
    passed, failed, skipped = sums["PASSED"], sums["FAILED"], sums["SKIPPED"]
    if status == "fail" and failed == 0:
        return passed, 1, skipped  # it crashed, ran out of time, or is no cmocka program
    if passed + failed + skipped > 0:
        return passed, failed, skipped
    return (0, 0, 1) if status in ("notrun", "disabled") else (1, 0, 0)


def main():
    totals = [0, 0, 0]
    names = []
    for path in sys.argv[1:]:
        for case in xml.parse(path).getroot().iter("testcase"):
            counts = count(case)
            totals = [a + b for a, b in zip(totals, counts)]
            if counts[1] > 0:
                names.append(case.get("name"))
    print(*totals)
    for name in names:
        print(name)


if __name__ == "__main__":
    main()
