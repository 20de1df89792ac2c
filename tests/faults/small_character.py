"""A skinned tube as glTF, as small or as large as it is wanted: for tests of failures and of costs."""
import base64
import json
import math
import struct


def tube(joints=2, rings=5, around=6, keys=8, clips=1, primitives=1, empty_nodes=0):
    """(document, bytes of its one buffer). The tube stands along y, 1 m high; its joints form a chain and swing."""
    data = bytearray()
    document = {"asset": {"version": "2.0"}, "scene": 0, "bufferViews": [], "accessors": [], "animations": []}

    def accessor(values, kind, component="f", bounds=False):
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        while len(data) % 4:
            data.append(0)
        start = len(data)
        data.extend(struct.pack(f"<{len(values)}{component}", *values))
        document["bufferViews"].append({"buffer": 0, "byteOffset": start, "byteLength": len(data) - start})
        entry = {"bufferView": len(document["bufferViews"]) - 1, "type": kind, "count": len(values) // width,
                 "componentType": {"f": 5126, "H": 5123, "I": 5125}[component]}
        if bounds:
            entry["min"] = [min(values[i::width]) for i in range(width)]
            entry["max"] = [max(values[i::width]) for i in range(width)]
        document["accessors"].append(entry)
        return len(document["accessors"]) - 1

    positions, normals, bones, weights, indices = [], [], [], [], []
    for ring in range(rings):
        height = ring / (rings - 1)
        place = height * joints - 0.5
        first = min(max(math.floor(place), 0), joints - 1)
        second = min(first + 1, joints - 1)
        share = min(max(place - first, 0.0), 1.0) if second != first else 0.0
        for corner in range(around):
            angle = 2 * math.pi * corner / around
            normals += [math.cos(angle), 0.0, math.sin(angle)]
            positions += [0.1 * math.cos(angle), height, 0.1 * math.sin(angle)]
            bones += [min(first, 65535), min(second, 65535), 0, 0]  # glTF has no index for more
            weights += [1 - share, share, 0.0, 0.0]
            if ring + 1 < rings:
                a, b = ring * around + corner, ring * around + (corner + 1) % around
                indices += [a, a + around, b, b, a + around, b + around]
    attributes = {"POSITION": accessor(positions, "VEC3", bounds=True), "NORMAL": accessor(normals, "VEC3"),
                  "JOINTS_0": accessor(bones, "VEC4", "H"), "WEIGHTS_0": accessor(weights, "VEC4")}
    faces = accessor(indices, "SCALAR", "I")
    document["meshes"] = [{"name": "tube", "primitives": [{"attributes": attributes, "indices": faces}] * primitives}]
    matrices = []
    for joint in range(joints):
        matrices += [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -joint / joints, 0, 1]
    document["skins"] = [{"joints": list(range(joints)), "inverseBindMatrices": accessor(matrices, "MAT4")}]
    nodes = [{"name": f"bone{i}", "translation": [0, 1 / joints if i else 0, 0]} for i in range(joints)]
    for i in range(joints - 1):
        nodes[i]["children"] = [i + 1]
    nodes.append({"name": "body", "mesh": 0, "skin": 0})
    nodes += [{"name": f"empty{i}"} for i in range(empty_nodes)]
    document["nodes"] = nodes
    document["scenes"] = [{"nodes": [0, joints] + list(range(joints + 1, len(nodes)))}]
    times = accessor([i / 30 for i in range(keys)], "SCALAR", bounds=True)
    turns = []
    for key in range(keys):
        angle = 0.3 * math.sin(2 * math.pi * key / max(keys - 1, 1))
        turns += [math.sin(angle / 2), 0.0, 0.0, math.cos(angle / 2)]
    turned = accessor(turns, "VEC4")
    swinging = range(0, joints, max(1, joints // 64))
    for clip in range(clips):
        document["animations"].append({
            "name": f"swing{clip}",
            "samplers": [{"input": times, "output": turned}],
            "channels": [{"sampler": 0, "target": {"node": i, "path": "rotation"}} for i in swinging]})
    document["buffers"] = [{"byteLength": len(data)}]
    return document, bytes(data)


def write_glb(path, document, data):
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(data), b"BIN\0") + data)


def write_gltf(path, document, data, inside=False):
    """With its buffer beside it (NAME.bin), or inside the text."""
    document = dict(document)
    name = path[:path.rindex(".")] + ".bin"
    uri = "data:;base64," + base64.b64encode(data).decode() if inside else name[name.rindex("/") + 1:]
    document["buffers"] = [{"byteLength": len(data), "uri": uri}]
    if not inside:
        with open(name, "wb") as file:
            file.write(data)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
