#!/usr/bin/env python3
"""Man pages and completion for bash, from the help that the program prints of its own option tables.

usage: make_words.py SUPPLE VERSION MAN_FOLDER COMPLETION_FILE
"""
import os
import re
import subprocess
import sys


def help_of(program, *words):
    return subprocess.run([program, *words, "-h"], capture_output=True, text=True, check=True).stdout


def commands_of(overview):
    """Names and summaries, from the list of commands."""
    listed = overview.split("commands:\n")[1].split("\n\n")[0]
    return [line.split(None, 1) for line in listed.splitlines()]


def roff(text):
    """Text to be printed as it stands."""
    lines = []
    for line in text.splitlines():
        line = line.replace("\\", "\\\\").replace("-", "\\-")
        lines.append("\\&" + line if line[:1] in (".", "'") else line)
    return "\n".join(lines)


def man_page(name, summary, text, version, also):
    return (f'.TH {name.upper()} 1 "" "Supple {version}" "Supple"\n.SH NAME\n{roff(name)} \\- {roff(summary)}\n'
            f".SH DESCRIPTION\n.nf\n{roff(text)}\n.fi\n.SH SEE ALSO\n{also}\n")


def options_of(text):
    """Every option with its choices, from the lines of a help text: `--as auto|joints|morphs`."""
    options = {"--help": []}
    for match in re.finditer(r"^ {2,6}(?:-\w, )?(--[a-z-]+)(?: (\S+))?", text, re.M):
        value = match.group(2) or ""
        options[match.group(1)] = value.split("|") if "|" in value else []
    return options


COMPLETION = """# bash completion for supple, made from the program's own help
_supple()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "@COMMANDS@" -- "$word")
        return
    fi
    case "$command $before" in
@CHOICES@
    esac
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    case $command in
@OPTIONS@
    esac
    case $word in
        -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _supple supple
"""


def completion(commands, texts):
    choices, options = [], []
    for name, _ in commands:
        known = options_of(texts[name])
        options.append(f'        {name}) words="{" ".join(sorted(known))}" ;;')
        for option, values in sorted(known.items()):
            if values:
                choices.append(f'        "{name} {option}") words="{" ".join(values)}" ;;')
    text = COMPLETION.replace("@COMMANDS@", " ".join(name for name, _ in commands))
    return text.replace("@CHOICES@", "\n".join(choices)).replace("@OPTIONS@", "\n".join(options))


def main():
    program, version, man_folder, completion_file = sys.argv[1:]
    overview = help_of(program)
    commands = commands_of(overview)
    texts = {name: help_of(program, name) for name, _ in commands}
    os.makedirs(man_folder, exist_ok=True)
    os.makedirs(os.path.dirname(completion_file), exist_ok=True)
    pages = {"supple": man_page("supple", "living flesh for skinned, animated characters", overview, version,
                                ", ".join(f".BR supple\\-{name} (1)" if i == 0 else f"supple\\-{name}(1)"
                                          for i, (name, _) in enumerate(commands)))}
    for name, summary in commands:
        pages[f"supple-{name}"] = man_page(f"supple-{name}", summary, texts[name], version, ".BR supple (1)")
    for name, text in pages.items():
        with open(os.path.join(man_folder, name + ".1"), "w", encoding="utf-8") as file:
            file.write(text)
    with open(completion_file, "w", encoding="utf-8") as file:
        file.write(completion(commands, texts))


if __name__ == "__main__":
    main()
