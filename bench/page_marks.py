"""Tables of a page that programs write: what stands between `<!-- NAME -->` and `<!-- end of NAME -->`."""


def put_between(page, name, lines):
    """Puts lines between a page's marks, in place of what stood there."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    first, last = f"<!-- {name} -->", f"<!-- end of {name} -->"
    head, rest = text.split(first)
    tail = rest.split(last)[1]
    with open(page, "w", encoding="utf-8") as file:
        file.write(f"{head}{first}\n" + "\n".join(lines) + f"\n{last}{tail}")
