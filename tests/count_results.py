#!/usr/bin/env python3
"""Counts the tests in ctest's JUnit files: each cmocka case is one test, every other ctest is one.

usage: count_results.py FILE.xml...     prints "PASSED FAILED SKIPPED", then a line for each ctest that failed
       count_results.py --self-test
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


# ctest's status, what the test printed, and what must be counted: passed, failed, skipped.
CASES = [
    ("run", "[  PASSED  ] 4 test(s).", (4, 0, 0)),
    ("run", "[  PASSED  ] 4 test(s).\n[  SKIPPED ] 2 test(s), listed below:\n[  SKIPPED ] a\n", (4, 0, 2)),
    ("run", "[  PASSED  ] 1 test(s).\n[  PASSED  ] 2 test(s).\n", (3, 0, 0)),
    ("fail", "[  PASSED  ] 3 test(s).\n[  FAILED  ] 2 test(s), listed below:\n[  FAILED  ] a\n", (3, 2, 0)),
    ("fail", "[ RUN      ] a\nSegmentation fault", (0, 1, 0)),
    ("fail", "[  PASSED  ] 3 test(s).\nSUMMARY: LeakSanitizer: 12 byte(s) leaked", (3, 1, 0)),
    ("run", "9 of 9 calls as expected", (1, 0, 0)),
    ("notrun", "skipped: no test assets", (0, 0, 1)),
]


def self_test():
    wrong = 0
    for status, output, expected in CASES:
        case = xml.Element("testcase", status=status)
        xml.SubElement(case, "system-out").text = output
        if count(case) != expected:
            wrong += 1
            print(f"{status}, {output!r}: expected {expected}, got {count(case)}")
    print(f"{len(CASES) - wrong} of {len(CASES)} cases as expected")
    return 1 if wrong else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
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
