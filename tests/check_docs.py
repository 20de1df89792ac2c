#!/usr/bin/env python3
"""Holds the pages of the guide together: links and their anchors lead somewhere, and lines are short enough to read.

usage: check_docs.py [ROOT]         check the project (default: the one this file stands in)
       check_docs.py --self-test    check that the checker finds what it must
"""
import os
import re
import subprocess
import sys
import tempfile

LONGEST_LINE = 119
LINK = re.compile(r"(?<!!)\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def pages(root):
    """Every Markdown file of the project, relative to its root."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=root, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return sorted(page for page in listed.stdout.split("\n") if page and os.path.exists(os.path.join(root, page)))
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in ("node_modules", "build", ".git")]
        found += [os.path.relpath(os.path.join(folder, file), root) for file in files if file.endswith(".md")]
    return sorted(found)


def prose(text):
    """The lines of a page as (number, line), without blocks of code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(text):
    """What may stand after a # in a link to this page: headings in GitHub's spelling."""
    found, count = set(), {}
    for _, line in prose(text):
        heading = re.match(r"#+ +(.*)", line)
        if heading is None:
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
        found.add(name if name not in count else f"{name}-{count[name]}")
        count[name] = count.get(name, 0) + 1
    return found


def check_page(root, page, problems):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        text = file.read()
    for number, line in prose(text):
        is_free = line.startswith(("|", "!", "<", "[!", "    ")) or "](" in line and " " not in line.strip()
        if len(line) > LONGEST_LINE and not is_free:
            problems.append(f"{page}:{number}: {len(line)} characters, {LONGEST_LINE} are enough")
    plain = "\n".join(line if not line.startswith("    ") else "" for _, line in prose(text))
    plain = re.sub(r"`[^`]*`", lambda code: code.group(0) if "](" not in code.group(0) else "", plain)
    for found in LINK.finditer(plain):
        target = found.group(1) or found.group(2)
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(os.path.join(root, there)):
            problems.append(f"{page}: a link to {target}, which does not exist")
        elif anchor and there.endswith(".md"):
            with open(os.path.join(root, there), encoding="utf-8") as file:
                if anchor not in anchors(file.read()):
                    problems.append(f"{page}: a link to {target}, but {there} has no such heading")


def self_test():
    with tempfile.TemporaryDirectory() as root:
        with open(os.path.join(root, "a.md"), "w", encoding="utf-8") as file:
            file.write("# One `two`, three\n[fine](b.md) [fine](#one-two-three) [fine](b.md#b) ![fine](b.md)\n"
                       "[gone](c.md)\n[gone](b.md#c)\n```\n[code](d.md)\n```\n" + "long " * 30 + "\n| " + "table " * 30 + "\n")
        with open(os.path.join(root, "b.md"), "w", encoding="utf-8") as file:
            file.write("# B\n")
        problems = []
        for page in pages(root):
            check_page(root, page, problems)
        expected = ["a.md:8: 150 characters, 119 are enough", "a.md: a link to c.md, which does not exist",
                    "a.md: a link to b.md#c, but b.md has no such heading"]
        if problems != expected:
            print("\n".join(["expected:", *expected, "found:", *problems]))
            return 1
    print("the checker finds what it must")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    problems, all_pages = [], pages(root)
    for page in all_pages:
        check_page(root, page, problems)
    print("\n".join([*problems, f"{len(all_pages)} pages, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
