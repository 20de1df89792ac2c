#!/usr/bin/env python3
"""Runs the program as a case file says and compares what it prints, to the letter.

A case file holds calls, each followed by what is expected:

    # a comment
    $ supple version --jsn
    ! supple version: unknown option --jsn; did you mean --json?
    = 2

`$` a line for the shell, run in an empty folder that all calls of the file share; `>` a line of stdout, `!` of stderr,
`=` the exit code (0 where it is not given). `[..]` in an expected line stands for anything within that line.
`$ASSETS` is the folder of test assets; a file that mentions it is skipped when there is none.

usage: run_cli_case.py [--update] FILE...     the program: $SUPPLE_BIN
"""
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def parse(path):
    """Blocks: ('text', line) for comments and blank lines, ('call', command, [stdout], [stderr], code)."""
    blocks = []
    for number, line in enumerate(open(path, encoding="utf-8").read().splitlines(), 1):
        mark, rest = line[:1], line[2:]
        if mark == "$":
            blocks.append(["call", rest, [], [], 0])
        elif mark in (">", "!", "=") and (not blocks or blocks[-1][0] != "call"):
            sys.exit(f"{path}:{number}: expected output without a call above it")
        elif mark == ">":
            blocks[-1][2].append(rest)
        elif mark == "!":
            blocks[-1][3].append(rest)
        elif mark == "=":
            blocks[-1][4] = int(rest)
        elif mark in ("#", ""):
            blocks.append(["text", line])
        else:
            sys.exit(f"{path}:{number}: a line starts with '$', '>', '!', '=' or '#'")
    return blocks


def matches(expected, got):
    if len(expected) != len(got):
        return False
    for pattern, line in zip(expected, got):
        if re.fullmatch(".*".join(re.escape(part) for part in pattern.split("[..]")), line) is None:
            return False
    return True


def show(stdout, stderr, code):
    lines = [f"> {line}".rstrip() for line in stdout] + [f"! {line}".rstrip() for line in stderr]
    return lines + ([f"= {code}"] if code != 0 else [])


def run(command, folder, environment):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300)
    decode = lambda data: data.decode("utf-8", "replace").splitlines()
    return decode(done.stdout), decode(done.stderr), done.returncode


def assets():
    folder = os.environ.get("SUPPLE_ASSETS") or "../shared/assets"
    return os.path.abspath(folder) if os.path.isdir(folder) else None


def run_case(path, program, update):
    blocks = parse(path)
    calls = [block for block in blocks if block[0] == "call"]
    if not calls:
        sys.exit(f"{path}: no call in it")
    found = assets()
    if found is None and any("$ASSETS" in call[1] for call in calls):
        print(f"{path}: skipped: no test assets; SUPPLE_ASSETS names their folder")
        return SKIPPED
    failed = 0
    out = []
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PATH=os.path.join(folder, ".bin") + ":" + os.environ["PATH"], LC_ALL="C.UTF-8",
                           ASSETS=found or "")
        os.mkdir(os.path.join(folder, ".bin"))
        os.symlink(program, os.path.join(folder, ".bin", "supple"))
        for block in blocks:
            if block[0] == "text":
                out.append(block[1])
                continue
            _, command, stdout, stderr, code = block
            got = run(command, folder, environment)
            good = matches(stdout, got[0]) and matches(stderr, got[1]) and code == got[2]
            out += ["$ " + command] + (show(stdout, stderr, code) if good else show(*got))
            if not good:
                failed += 1
                if not update:
                    print(f"{path}: $ {command}\nexpected:", *show(stdout, stderr, code), sep="\n  ")
                    print("got:", *show(*got), sep="\n  ")
    if update and failed:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(out) + "\n")
        print(f"{path}: {failed} calls updated")
        return 0
    print(f"{path}: {len(calls) - failed} of {len(calls)} calls as expected")
    return 1 if failed else 0


def main():
    update = "--update" in sys.argv[1:]
    files = [word for word in sys.argv[1:] if word != "--update"]
    program = os.environ.get("SUPPLE_BIN")
    if not files or not program:
        sys.exit(__doc__)
    codes = [run_case(path, os.path.abspath(program), update) for path in files]
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
