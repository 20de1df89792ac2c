#!/usr/bin/env python3
"""Makes the small glTF files that fuzzing starts from, tests/fuzz/corpus/gltf: each shows some features, all under 2.5 kB.

usage: make_gltf_seeds.py FOLDER       (needs libmeshoptimizer, libdraco and g++ for the compressed ones)
"""
import base64
import ctypes
import json
import os
import math
import struct
import subprocess
import sys
import tempfile

FLOAT, BYTE, UBYTE, SHORT, USHORT, UINT = 5126, 5120, 5121, 5122, 5123, 5125
FORMATS = {FLOAT: "f", BYTE: "b", UBYTE: "B", SHORT: "h", USHORT: "H", UINT: "I"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class File:
    """A glTF under construction: JSON and one buffer."""

    def __init__(self, **root):
        self.json = {"asset": {"version": "2.0"}, "buffers": [], "bufferViews": [], "accessors": [], **root}
        self.bin = b""

    def view(self, data, **more):
        self.bin += b"\0" * (-len(self.bin) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bin), "byteLength": len(data), **more})
        self.bin += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, kind, component, values, **more):
        data = struct.pack("<%d%s" % (len(values), FORMATS[component]), *values)
        accessor = {"componentType": component, "type": kind, "count": len(values) // WIDTHS[kind], **more}
        if "bufferView" not in more:
            accessor["bufferView"] = self.view(data)
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def raw_accessor(self, **accessor):
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def clean(self):
        return {k: v for k, v in self.json.items() if v not in ([], {})}

    def glb(self, extra=b""):
        self.json["buffers"] = [{"byteLength": len(self.bin)}]
        text = json.dumps(self.clean(), separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = self.bin + b"\0" * (-len(self.bin) % 4)
        body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data + extra
        return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body

    def gltf(self):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.bin).decode()
        self.json["buffers"] = [{"byteLength": len(self.bin), "uri": uri}]
        return json.dumps(self.clean(), separators=(",", ":")).encode()


TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0]
UP = [0, 0, 1] * 3
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def skinned():
    f = File(scene=0, scenes=[{"nodes": [0, 1]}])
    f.json["nodes"] = [{"mesh": 0, "skin": 0, "name": "body"}, {"name": "hip", "children": [2]},
                       {"name": "knee", "translation": [0, 0.5, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}]
    attributes = {"POSITION": f.accessor("VEC3", FLOAT, TRIANGLE), "NORMAL": f.accessor("VEC3", FLOAT, UP),
                  "JOINTS_0": f.accessor("VEC4", UBYTE, [0, 1, 0, 0] * 3),
                  "WEIGHTS_0": f.accessor("VEC4", FLOAT, [0.75, 0.25, 0, 0] * 3)}
    f.json["meshes"] = [{"name": "m", "primitives": [{"attributes": attributes,
                                                      "indices": f.accessor("SCALAR", USHORT, [0, 1, 2])}]}]
    f.json["skins"] = [{"joints": [1, 2], "inverseBindMatrices": f.accessor("MAT4", FLOAT, IDENTITY * 2)}]
    times = f.accessor("SCALAR", FLOAT, [0.25, 1.0], min=[0.25], max=[1])
    rotation = f.accessor("VEC4", FLOAT, [0, 0, 0, 1, 0, 0, 0.6, 0.8])
    cubic = f.accessor("VEC3", FLOAT, [0, 0, 0, 0, 0.5, 0, 0, 1, 0] * 2)
    f.json["animations"] = [{"name": "walk", "channels": [
        {"sampler": 0, "target": {"node": 2, "path": "rotation"}}, {"sampler": 1, "target": {"node": 1, "path": "translation"}},
        {"sampler": 2, "target": {"node": 1, "path": "scale"}}], "samplers": [
            {"input": times, "output": rotation}, {"input": times, "output": cubic, "interpolation": "CUBICSPLINE"},
            {"input": times, "output": f.accessor("VEC3", FLOAT, [1, 1, 1, 2, 2, 2]), "interpolation": "STEP"}]}]
    return f.glb()


def quantized():
    f = File(extensionsUsed=["KHR_mesh_quantization"], extensionsRequired=["KHR_mesh_quantization"])
    f.json["nodes"] = [{"mesh": 0, "skin": 0}, {"matrix": [2.0] + IDENTITY[1:]}]
    attributes = {"POSITION": f.accessor("VEC3", SHORT, [v * 32767 for v in TRIANGLE], normalized=True),
                  "NORMAL": f.accessor("VEC3", BYTE, [v * 127 for v in UP], normalized=True)}
    for n in range(3):
        attributes["JOINTS_%d" % n] = f.accessor("VEC4", USHORT, [0] * 12)
        attributes["WEIGHTS_%d" % n] = f.accessor("VEC4", UBYTE if n else USHORT, [20 + n] * 12, normalized=True)
    f.json["meshes"] = [{"primitives": [{"attributes": attributes, "mode": 5}]}]
    f.json["skins"] = [{"joints": [1]}]
    return f.glb()


def sparse_morphs():
    f = File(scenes=[{"nodes": [0]}])
    f.json["nodes"] = [{"mesh": 0, "weights": [0.5, 0.25]}]
    indices, values = f.view(struct.pack("<HH", 1, 2)), f.view(struct.pack("<6f", 0, 0, 1, 0, 0, 2))
    sparse = {"count": 2, "indices": {"bufferView": indices, "componentType": USHORT}, "values": {"bufferView": values}}
    target = f.raw_accessor(componentType=FLOAT, type="VEC3", count=3, sparse=sparse)
    base = f.accessor("VEC3", FLOAT, TRIANGLE, sparse=sparse)
    f.json["meshes"] = [{"weights": [0, 0], "primitives": [{"attributes": {"POSITION": base}, "mode": 6, "targets": [
        {"POSITION": target, "NORMAL": target, "TANGENT": target}, {"POSITION": base}]}]}]
    f.json["animations"] = [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}], "samplers": [
        {"input": f.accessor("SCALAR", FLOAT, [0, 1]), "output": f.accessor("SCALAR", UBYTE, [0, 255, 255, 0], normalized=True)}]}]
    return f.glb()


def interleaved_look():
    f = File(extensionsUsed=["KHR_texture_transform", "KHR_materials_unlit"])
    rows = [struct.pack("<3f4f2HBBBB", *TRIANGLE[3 * i:3 * i + 3], 1, 0, 0, 1, i, 65535, 255, 0, i, 255) for i in range(3)]
    view = f.view(b"".join(rows), byteStride=len(rows[0]))

    def at(kind, component, offset, **more):
        return f.raw_accessor(bufferView=view, byteOffset=offset, componentType=component, type=kind, count=3, **more)
    png = f.view(b"\x89PNG\r\n\x1a\n")
    f.json.update(nodes=[{"mesh": 0, "scale": [-1, 1, 2]}], meshes=[{"primitives": [{"material": 0, "attributes": {
        "POSITION": at("VEC3", FLOAT, 0), "TANGENT": at("VEC4", FLOAT, 12), "TEXCOORD_0": at("VEC2", USHORT, 28, normalized=True),
        "COLOR_0": at("VEC4", UBYTE, 32, normalized=True)}}]}],
        materials=[{"name": "fur", "alphaMode": "MASK", "alphaCutoff": 0.3, "doubleSided": True, "emissiveFactor": [1, 0, 0],
                    "extensions": {"KHR_materials_unlit": {}}, "pbrMetallicRoughness": {
                        "baseColorFactor": [1, 1, 1, 0.5], "metallicFactor": 0, "roughnessFactor": 0.5, "baseColorTexture": {
                            "index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": {
                                "offset": [0, 0.5], "rotation": 1.5, "scale": [2, 2], "texCoord": 1}}}}}],
        textures=[{"source": 0, "sampler": 0}], samplers=[{"wrapS": 33071, "wrapT": 10497, "magFilter": 9728}],
        images=[{"bufferView": png, "mimeType": "image/png"}, {"uri": "data:image/png;base64,iVBORw0KGgo="}, {"uri": "a%20b.png"}])
    return f.gltf()


def instances():
    f = File(scene=0, scenes=[{"nodes": [0, 3]}, {"nodes": [1]}])
    position = f.accessor("VEC3", FLOAT, TRIANGLE)
    joints, weights = f.accessor("VEC4", UBYTE, [0] * 12), f.accessor("VEC4", FLOAT, [0.5, 0.25, 0, 0] * 3)
    skinned_attributes = {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights}
    f.json.update(nodes=[{"children": [1, 2]}, {"mesh": 0, "skin": 0}, {"mesh": 0, "skin": 1}, {"mesh": 1, "children": [4]}, {"camera": 0}],
                  cameras=[{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
                  meshes=[{"primitives": [{"attributes": skinned_attributes}, {"attributes": {"POSITION": position}, "mode": 1}]},
                          {"primitives": [{"attributes": {"POSITION": position}, "mode": 0}, {"attributes": {"NORMAL": position}}]}],
                  skins=[{"joints": [4, 0]}, {"joints": [0], "skeleton": 0}], extras={"id": 18446744073709551615, "n": -0.5e-3})
    return f.glb(struct.pack("<I4s", 4, b"NOTE") + b"kept")


def meshopt():
    library = ctypes.CDLL("libmeshoptimizer.so.2d")
    library.meshopt_encodeVertexBuffer.restype = library.meshopt_encodeIndexBuffer.restype = ctypes.c_size_t
    library.meshopt_encodeIndexSequence.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(4096)

    def vertices(data, count, size):
        length = library.meshopt_encodeVertexBuffer(out, ctypes.c_size_t(4096), data, ctypes.c_size_t(count), ctypes.c_size_t(size))
        return out.raw[:length]

    def indices(function, values):
        array = (ctypes.c_uint * len(values))(*values)
        length = function(out, ctypes.c_size_t(4096), array, ctypes.c_size_t(len(values)))
        return out.raw[:length]
    f = File(extensionsUsed=["EXT_meshopt_compression"], extensionsRequired=["EXT_meshopt_compression"])
    positions = struct.pack("<9f", *TRIANGLE)
    normals = struct.pack("<12b", *([0, 0, 127, 0] * 3))

    def compressed(data, count, stride, mode, **more):
        start = f.view(data)
        view = f.json["bufferViews"][start]
        extension = {"buffer": 0, "byteOffset": view["byteOffset"], "byteLength": len(data), "byteStride": stride, "count": count,
                     "mode": mode, **more}
        f.json["bufferViews"][start] = {"buffer": 1, "byteLength": count * stride,
                                        **({"byteStride": stride} if mode == "ATTRIBUTES" else {}),
                                        "extensions": {"EXT_meshopt_compression": extension}}
        return start
    p = compressed(vertices(positions, 3, 12), 3, 12, "ATTRIBUTES")
    n = compressed(vertices(normals, 3, 4), 3, 4, "ATTRIBUTES", filter="OCTAHEDRAL")
    t = compressed(indices(library.meshopt_encodeIndexBuffer, [0, 1, 2]), 3, 2, "TRIANGLES")
    s = compressed(indices(library.meshopt_encodeIndexSequence, [0, 1, 2]), 3, 4, "INDICES")
    f.json["accessors"] = [{"bufferView": p, "componentType": FLOAT, "type": "VEC3", "count": 3},
                           {"bufferView": n, "componentType": BYTE, "normalized": True, "type": "VEC3", "count": 3},
                           {"bufferView": t, "componentType": USHORT, "type": "SCALAR", "count": 3},
                           {"bufferView": s, "componentType": UINT, "type": "SCALAR", "count": 3}]
    attributes = {"POSITION": 0, "NORMAL": 1}
    f.json.update(nodes=[{"mesh": 0}], meshes=[{"primitives": [{"attributes": attributes, "indices": 2},
                                                               {"attributes": {"POSITION": 0}, "indices": 3, "mode": 5}]}])
    data = f.glb()
    f.json["buffers"].append({"byteLength": 200, "extensions": {"EXT_meshopt_compression": {"fallback": True}}})
    text = json.dumps(f.clean(), separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    size = struct.unpack("<I", data[12:16])[0]
    return b"glTF" + struct.pack("<II", 2, len(data) - size + len(text)) + struct.pack("<I4s", len(text), b"JSON") + text + data[20 + size:]


class DracoInput(ctypes.Structure):
    """supDracoInput of tests/support/draco_encode.h."""
    _fields_ = [("vertexCount", ctypes.c_int32), ("positions", ctypes.c_void_p), ("normals", ctypes.c_void_p),
                ("texcoords", ctypes.c_void_p), ("joints", ctypes.c_void_p), ("weights", ctypes.c_void_p),
                ("indexCount", ctypes.c_int32), ("indices", ctypes.c_void_p), ("isSequential", ctypes.c_bool),
                ("bits", ctypes.c_int32)]


def draco_library(folder):
    tests = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    path = os.path.join(folder, "draco_encode.so")
    subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", "-I", tests, os.path.join(tests, "support", "draco_encode.cpp"),
                    "-ldraco", "-o", path], check=True)
    library = ctypes.CDLL(path)
    library.supEncodeDraco.restype = ctypes.POINTER(ctypes.c_uint8)
    return library


def draco(library, is_sequential):
    """A tube of three rings on two joints, with a seam."""
    ring, rings = 5, 3
    positions, normals, texcoords, joints, weights, indices = [], [], [], [], [], []
    for r in range(rings):
        for c in range(ring):
            angle = 2 * math.pi * c / (ring - 1)  # the last column stands where the first does
            positions += [math.cos(angle), r, math.sin(angle)]
            normals += [math.cos(angle), 0, math.sin(angle)]
            texcoords += [c / (ring - 1), r / (rings - 1)]
            joints += [0, 1, 0, 0]
            weights += [1 - r / (rings - 1), r / (rings - 1), 0, 0]
    for r in range(rings - 1):
        for c in range(ring - 1):
            a = ring * r + c
            indices += [a, a + 1, a + ring, a + 1, a + ring + 1, a + ring]
    arrays = [(ctypes.c_float * len(positions))(*positions), (ctypes.c_float * len(normals))(*normals),
              (ctypes.c_float * len(texcoords))(*texcoords), (ctypes.c_uint16 * len(joints))(*joints),
              (ctypes.c_float * len(weights))(*weights), (ctypes.c_uint32 * len(indices))(*indices)]
    at = [ctypes.cast(array, ctypes.c_void_p) for array in arrays]
    given = DracoInput(ring * rings, at[0], at[1], at[2], at[3], at[4], len(indices), at[5], is_sequential, 10)
    size, points = ctypes.c_size_t(), ctypes.c_int32()
    data = library.supEncodeDraco(ctypes.byref(given), ctypes.byref(size), ctypes.byref(points))
    stream = bytes(data[:size.value])
    f = File(extensionsUsed=["KHR_draco_mesh_compression"], extensionsRequired=["KHR_draco_mesh_compression"])
    f.json["nodes"] = [{"mesh": 0, "skin": 0}, {"children": [2]}, {"translation": [0, 1, 0]}]
    ids = {"POSITION": 7, "NORMAL": 3, "TEXCOORD_0": 40, "JOINTS_0": 0, "WEIGHTS_0": 12}
    kinds = {"POSITION": ("VEC3", FLOAT), "NORMAL": ("VEC3", FLOAT), "TEXCOORD_0": ("VEC2", FLOAT), "JOINTS_0": ("VEC4", USHORT),
             "WEIGHTS_0": ("VEC4", FLOAT)}
    attributes = {name: f.raw_accessor(type=kind, componentType=component, count=points.value)
                  for name, (kind, component) in kinds.items()}
    f.json["meshes"] = [{"primitives": [{"attributes": attributes, "indices": f.raw_accessor(
        type="SCALAR", componentType=USHORT, count=len(indices)), "extensions": {"KHR_draco_mesh_compression": {
            "bufferView": f.view(stream), "attributes": ids}}}]}]
    f.json["skins"] = [{"joints": [1, 2]}]
    return f.glb()


def main():
    folder = sys.argv[1]
    seeds = {"skinned.glb": skinned(), "quantized.glb": quantized(), "sparse_morphs.glb": sparse_morphs(),
             "interleaved_look.gltf": interleaved_look(), "instances.glb": instances(), "meshopt.glb": meshopt()}
    with tempfile.TemporaryDirectory() as scratch:
        library = draco_library(scratch)
        seeds.update({"draco.glb": draco(library, False), "draco_sequential.glb": draco(library, True)})
    for name, data in seeds.items():
        assert len(data) < 3072, (name, len(data))
        with open(os.path.join(folder, name), "wb") as out:
            out.write(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
