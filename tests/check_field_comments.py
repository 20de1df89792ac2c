#!/usr/bin/env python3
"""Holds the comments of a rig's structs (include/supple/rig.h) against the tables of fields, by docs/rig.schema.json, which test_rig_docs
holds against the tables. Every field has a member and every member a field. What a comment says of a default ("Default 4"), a range
("0 to 10") and a unit ("Hertz") is what the table says, and a default or a unit that the table has is said.

usage: check_field_comments.py              in the project's root
       check_field_comments.py --self-test  check that the checker finds what it must
"""
import json
import math
import re
import sys

STRUCTS = {"elements": "supElementDef", "modes": "supModeDef", "volumes": "supVolumeDef", "contacts": "supContactDef",
           "ecorche": "supEcorcheDef", "wrinkles": "supWrinkleDef", "clothes": "supClothDef", "curves": "supCurvesDef",
           "examples": "supExampleDef", "muscles": "supMuscleDef", "muscles.points": "supMusclePoint",
           "muscles.fields": "supMuscleField",
           "fat": "supFatDef", "beams": "supBeamsDef", "beams.poses": "supBeamPose",
           "beams.forces": "supBeamForce"}
# What a comment calls a unit of the tables.
UNITS = {"Hz": "Hertz", "rad": "Radians", "deg": "Degrees", "s": "Seconds", "kg": "Kilograms", "m": "Metres"}
SHARE = "share of the size"
NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e-?\d+)?|pi(?:/\d+)?)"


def members(header, struct):
    """name: comment of each member of a struct."""
    body = re.search(r"typedef struct " + struct + r"\n\{\n(.*?)\n\} " + struct + ";", header, re.S).group(1)
    body = re.sub(r"\n\s*///<\s*(?=\S)", " ", re.sub(r";\s*///<", "; ///<", body))  # comments that run on
    found, above = {}, ""
    for line in re.sub(r"(\w\*?)\n\s+(\w+;)", r"\1 \2", body).splitlines():
        line = line.strip()
        if line.startswith("///"):
            above += " " + line[3:].strip()
            continue
        declared = re.match(r"(?:const )?\w+\*? ([\w, ]+);(?:\s*///<(.*))?$", line)
        if declared:
            for name in declared.group(1).split(","):
                found[name.strip()] = (above + " " + (declared.group(2) or "")).strip()
        above = ""
    return found


def number(text):
    if "pi" not in text:
        return float(text)
    return math.pi / float(text.split("/")[1]) if "/" in text else math.pi


def near(a, b):
    return abs(a - b) <= 1e-5 * max(abs(a), abs(b))


def numbers_of(field):
    """The part of a field's schema that has its range; {} where it is no number."""
    for one in [field] + field.get("anyOf", []) + [field.get("items", {})] if isinstance(field.get("items", {}), dict) else [field]:
        if "minimum" in one:
            return one
        for inner in one.get("anyOf", []):
            if "minimum" in inner:
                return inner
    return {}


def unit_of(field):
    said = re.search(r" Unit: (.*)\.$", field.get("description", ""))
    return "" if not said else "size" if said.group(1).startswith("share") else said.group(1)


def check_default(field, comment):
    said = re.search(r"\bDefault (true|false|NAN|" + NUMBER + ")", comment)
    has = field.get("default")
    if isinstance(has, list):
        has = has[0] if len(set(has)) == 1 else None
    if isinstance(has, str) or has is None:
        return None if not said or said.group(1) == "NAN" else f"says a default of {said.group(1)}, the table has none"
    if not said:
        return None if has in (0, False) else f"does not say its default, {has}"
    word = said.group(1)
    if isinstance(has, bool):
        return None if word == str(has).lower() else f"says a default of {word}, the table {has}"
    same = word not in ("true", "false", "NAN") and near(number(word), has)
    return None if same else f"says a default of {word}, the table {has}"


def check_range(field, comment):
    said = re.search(r"(?:^|[.,;:] )(" + NUMBER + ") to (" + NUMBER + r")(?=[.,;:( ]|$)", comment)
    has = numbers_of(field)
    if not said or not has:
        return f"says a range of {said.group(1)} to {said.group(2)}, the table has none" if said else None
    same = near(number(said.group(1)), has["minimum"]) and near(number(said.group(2)), has["maximum"])
    return None if same else f"says {said.group(1)} to {said.group(2)}, the table {has['minimum']} to {has['maximum']}"


def check_unit(field, comment, of_lengths):
    unit = unit_of(field)
    if unit == "OBJ" or not (numbers_of(field) or unit == "size"):
        return None
    words = comment.lower().replace("shares", "share")
    for one in sorted(set(UNITS.values()) - {UNITS.get(unit, "")}):
        if re.search(r"(?:^|[.;] )" + one.lower() + r"(?:[.,;]|$)", words):
            return f"says {one}, the table {unit or 'no unit'}"
    if SHARE in words and unit != "size":
        return f"says {SHARE}, the table {unit or 'no unit'}"
    if unit == "size":
        return None if of_lengths or SHARE in words else f"does not say that it is a {SHARE}"
    return None if not unit or UNITS.get(unit, unit).lower() in words else f"does not say its unit, {UNITS.get(unit, unit)}"


def check_struct(header, struct, schema):
    fields = {name: field for name, field in schema["items"]["properties"].items() if name != "extras"}
    comments = members(header, struct)
    start = header.index("typedef struct " + struct)
    intro = " ".join(line.strip("/ ") for line in header[:start].rsplit("\n\n", 1)[-1].splitlines())
    of_lengths = "Lengths are shares of the character's size" in intro
    problems = [f"{struct}.{name}: has no field" for name in comments if name not in fields]
    problems += [f"{struct}.{name}: has no member" for name in fields if name not in comments]
    for name, field in fields.items():
        comment = comments.get(name, "")
        for problem in (check_default(field, comment), check_range(field, comment), check_unit(field, comment, of_lengths)):
            if problem and name in comments:
                problems.append(f"{struct}.{name}: {problem}")
    return problems


def check(header, schema):
    problems = []
    for key, layer in schema["properties"].items():
        if layer.get("type") != "array" or key == "gravity":
            continue
        for inside, part in [(key, layer)] + [(f"{key}.{name}", field) for name, field in layer["items"]["properties"].items()
                                              if field.get("items", {}).get("type") == "object" and name != "spheres"]:
            if inside not in STRUCTS:
                problems.append(f"{inside}: its struct is not known here: add it to STRUCTS")
            else:
                problems += check_struct(header, STRUCTS[inside], part)
    return problems


def self_test():
    header = "/// A thing.\ntypedef struct supFatDef\n{\n    float depth; ///< how deep. Hertz. 0 to 1. Default 0.5\n} supFatDef;\n"
    field = {"description": "How deep. Unit: Hz.", "type": "number", "minimum": 0, "maximum": 1, "default": 0.5}
    cases = [({}, ""), ({"maximum": 0.95}, "0 to 1"), ({"default": 0.4}, "default of 0.5"), ({"description": "x Unit: s."}, "says Hertz"),
             ({"description": "x Unit: size."}, "says Hertz")]
    failed = 0
    for change, word in cases:
        found = check(header, {"properties": {"fat": {"type": "array", "items": {"properties": {"depth": {**field, **change}}}}}})
        if (len(found) != 1 or word not in found[0]) if word else found:
            failed += 1
            print(f"self-test: {change}: expected {word!r}, got {found}")
    extra = check(header, {"properties": {"fat": {"type": "array", "items": {"properties": {}}}}})
    failed += extra != ["supFatDef.depth: has no field"]
    print(f"{len(cases) + 1 - failed} of {len(cases) + 1} cases as expected")
    return failed


def main():
    if "--self-test" in sys.argv[1:]:
        return 1 if self_test() else 0
    problems = check(open("include/supple/rig.h", encoding="utf-8").read(), json.load(open("docs/rig.schema.json", encoding="utf-8")))
    for problem in problems:
        print(problem)
    print(f"{len(problems)} comments of rig.h are not what the tables say")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
