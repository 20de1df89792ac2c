#!/usr/bin/env python3
"""What came of a manifest: OUT/report.csv, OUT/report.json, and OUT/index.html with a contact sheet of all results.

    report.py MANIFEST.json OUT-DIR [--cache DIR] [--pictures I/N | --judge]

The jobs are those that the program itself finds in the manifest, so that one that nobody has done is told as missing.
"""

import argparse
import csv
import html
import json
import os
import subprocess
import sys
import urllib.parse

COLUMNS = ["name", "state", "seconds", "bytesIn", "bytesOut", "form", "elements", "clips", "limited", "largestError",
           "aboveTolerance", "tries", "host", "input", "output", "error"]


def whole(path, text):
    """Writes a file whole or not at all."""
    part = f"{path}.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(part, path)


def jobs_of(words):
    """All jobs as they are now: name, input, output, state."""
    call = [words.supple, "bake", "--manifest", words.manifest, "--out-dir", words.out, "--dry-run", "--json"]
    call += ["--cache", words.cache] if words.cache else []
    done = subprocess.run(call, stdout=subprocess.PIPE, check=False)
    try:
        return [job or {} for job in json.loads(done.stdout)["files"]]  # null: no memory for what is told of it
    except (ValueError, KeyError, TypeError):
        sys.exit(done.returncode or 1)


def record_of(words, name):
    try:
        with open(f"{words.out}/records/{name}.json", encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def row_of(words, job):
    """One line of the report. A record of other inputs than those of now tells nothing of this job."""
    if "name" not in job:  # its inputs cannot be read
        output = job.get("output", "")
        return {"name": os.path.splitext(os.path.basename(output))[0], "state": "failed", "input": job.get("input", ""),
                "output": output, "error": job.get("error", "nothing is told of it")}
    record = record_of(words, job["name"])
    record = record if record.get("key") == job["key"] else {}
    clips = record.get("clips", [])
    size = record.get("size") or 1
    state = record.get("state", "missing") if job["state"] == "unchanged" or "error" in record else "missing"
    row = {name: record.get(name, "") for name in COLUMNS}
    row.update(name=job["name"], state=state, input=job["input"], output=job["output"])
    if clips:
        row.update(elements=len(record.get("elements", [])), clips=len(clips),
                   limited=sum(clip.get("limited", 0) for clip in clips),
                   largestError=round(max(clip["maxError"] for clip in clips) / size, 6))
    return row


def picture_of(words, name):
    return f"{words.out}/pictures/{name}.png"


def draw(words, jobs):
    """Pictures of the results of a shard that have none, or an older one."""
    number, count = (int(part) for part in words.pictures.split("/"))
    os.makedirs(f"{words.out}/pictures", exist_ok=True)
    failed = 0
    for job in jobs[number - 1 :: count]:
        if job.get("state") != "unchanged":
            continue
        picture = picture_of(words, job["name"])
        if os.path.exists(picture) and os.path.getmtime(picture) >= os.path.getmtime(job["output"]):
            continue
        failed += 0 if draw_one(words, job, picture) else 1
    return failed


def draw_one(words, job, picture):
    """The result as players show it, beside what it was made of where that has the clip too."""
    part = f"{picture}.{os.getpid()}.png"
    ways = [["--compare", job["input"], job["output"], part, "--strip", "1"], [job["output"], part]]
    for way in ways:
        drawn = subprocess.run([words.supple, "render", *way, "--size", "180x200"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, check=False)
        if drawn.returncode == 0:
            os.replace(part, picture)
            return True
    print(f"{job['output']}: no picture: {drawn.stderr.decode(errors='replace').strip()}", file=sys.stderr)
    return False


STYLE = """body { font: 14px sans-serif; margin: 2em; color: #222 }
table { border-collapse: collapse } td, th { padding: 2px 10px; text-align: left; border-bottom: 1px solid #ddd }
.failed, .missing { color: #b00020 } .sheet { display: flex; flex-wrap: wrap; gap: 12px }
figure { margin: 0; width: 150px } figure img { width: 100% } figcaption { font-size: 12px; overflow-wrap: anywhere }"""


def cell(row, name):
    value = row[name]
    text = f"{value:.2f}" if isinstance(value, float) and name == "seconds" else str(value)
    return f"<td>{html.escape(text)}</td>"


def page_of(words, rows, summary):
    """Failures first; then the pictures, then a table of all."""
    lines = ["<!doctype html><meta charset=utf-8><title>Supple: a farm's report</title>", f"<style>{STYLE}</style>",
             f"<h1>{html.escape(summary)}</h1>"]
    wrong = [row for row in rows if row["state"] in ("failed", "missing")]
    lines += [f"<p class={row['state']}>{html.escape(row['name'])}: {html.escape(row.get('error') or row['state'])}</p>"
              for row in wrong]
    lines.append("<div class=sheet>")
    for row in rows:
        if os.path.exists(picture_of(words, row["name"])):
            source = urllib.parse.quote(f"pictures/{row['name']}.png")
            lines.append(f"<figure><a href=\"{source}\"><img loading=lazy src=\"{source}\"></a>"
                         f"<figcaption>{html.escape(row['name'])}</figcaption></figure>")
    lines.append("</div><table><tr>" + "".join(f"<th>{name}</th>" for name in COLUMNS) + "</tr>")
    lines += [f"<tr class={row['state']}>" + "".join(cell(row, name) for name in COLUMNS) + "</tr>" for row in rows]
    return "\n".join(lines + ["</table>\n"])


def summary_of(rows):
    def count(state):
        return sum(row["state"] == state for row in rows)

    done = [row for row in rows if row["state"] in ("baked", "cache", "unchanged")]
    limited = sum(1 for row in done if row["limited"])
    seconds = sum(row["seconds"] or 0 for row in done)
    size = sum(row["bytesOut"] or 0 for row in done)
    return (f"{len(rows)} jobs: {len(done)} done, {count('failed')} failed, {count('missing')} missing; {seconds:.0f} s of "
            f"baking, {size / 1e6:.1f} MB; flesh was limited in {limited}")


def write_report(words, rows):
    summary = summary_of(rows)
    whole(f"{words.out}/report.json", json.dumps({"summary": summary, "jobs": rows}, indent=1))
    part = f"{words.out}/report.csv.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, restval="", extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)
    os.replace(part, f"{words.out}/report.csv")
    whole(f"{words.out}/index.html", page_of(words, [{**dict.fromkeys(COLUMNS, ""), **row} for row in rows], summary))
    print(summary)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest")
    parser.add_argument("out")
    parser.add_argument("--cache")
    parser.add_argument("--supple", default=os.environ.get("SUPPLE_BIN", "supple"))
    parser.add_argument("--pictures", metavar="I/N", help="draw those of a shard, and write no report")
    parser.add_argument("--judge", action="store_true", help="fail where a job has failed or is missing")
    words = parser.parse_args()
    jobs = jobs_of(words)
    if words.pictures:
        return 1 if draw(words, jobs) else 0
    rows = [row_of(words, job) for job in jobs]
    if not words.judge:
        write_report(words, rows)
    return 1 if words.judge and any(row["state"] in ("failed", "missing") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
