// The published JSON Schema judged by a validator that is not ours: the schema itself is valid, every rig that Supple writes passes, and on rigs
// written by hand the schema and `supple rig --check` say the same.
//
// usage: node tests/check_rig_schema.mjs PRINTER      PRINTER COUNT: a program that prints random rigs as a JSON list; $SUPPLE_BIN: the program
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let Ajv;
try {
    Ajv = (await import("ajv")).default;
} catch {
    console.log("skipped: ajv is not installed ('npm ci' in tests)");
    process.exit(77);
}

const schema = JSON.parse(readFileSync("docs/rig.schema.json", "utf8"));
const validate = new Ajv({ strict: true, allErrors: true }).addVocabulary(["x-advanced"]).compile(schema);
let failures = 0;

function expect(right, words) {
    if (!right) {
        failures += 1;
        console.log(words);
    }
}

const rigs = JSON.parse(execFileSync(process.argv[2], ["--print", "200"], { maxBuffer: 1 << 28 }));
for (const rig of rigs) {
    expect(validate(rig), `a written rig: ${JSON.stringify(validate.errors)}\n${JSON.stringify(rig)}`);
}

// What differs from one valid element, field by field; `undefined` takes the field away.
const good = [
    {},
    { ends: ["b", { name: "c", index: 3 }] },
    { end: [0, "2%", "-1.5 %"], boneThickness: 0.5 },
    { attenuation: "hermite", attenuationKeys: [[-1, 0], [0, 1], [1, 0]] },
    { spheres: [{ center: [0, 0, 0], radius: "5%", _note: 1 }] },
    { paint: { fingerprint: "0xAb", meshes: [{ mesh: "Body", index: 1, vertices: [1, 2], values: [0, 1] }] } },
    { frequency: 0.01 }, { frequency: 1000 }, { spread: 3.1415927 }, { mass: 1e-9 }, { sag: 0.1 },
    { _note: {}, extras: [] },
];
const bad = [
    { driver: undefined }, { driver: "" }, { driver: 3 }, { driver: { name: "a" } }, { driver: { name: "a", index: 1.5 } },
    { name: "" }, { name: null },
    { frequncy: 3 }, { frequency: 0 }, { frequency: 1000.1 }, { frequency: "4" }, { frequency: null }, { dampingRatio: -0.1 },
    { spread: 3.1416 }, { mass: 0 }, { limit: "hard" }, { limit: 0 }, { gravity: [0, 1, 0] },
    { ends: "b" }, { ends: [""] }, { skipMeshes: [{ name: "a", index: 1 }] },
    { end: [0, 0] }, { end: [0, 0, 11] }, { end: [0, 0, "1 mile"] }, { facing: ["1%", 0, 0] },
    { boneThickness: 1.5 }, { boneThickness: "" }, { boneThickness: "mm" }, { boneThickness: ".5%" }, { boneThickness: "+5%" },
    { attenuationKeys: [[0]] }, { attenuationSlopes: [[0]] }, { attenuationKeys: [[0, 2]] }, { attenuationKeys: [[0, 1, 2]] },
    { spheres: [{ radius: 1 }] }, { spheres: [{ center: [0, 0, 0], radius: 0 }] }, { spheres: [{ center: [0, 0, 0], radius: 1, r: 1 }] },
    { paint: { meshes: [] } }, { paint: { fingerprint: "1f", meshes: [] } },
    { paint: { fingerprint: "0x1", meshes: [{ mesh: "B", vertices: [-1], values: [1] }] } },
    { paint: { fingerprint: "0x1", meshes: [{ mesh: "B", vertices: [1], values: [1.5] }] } },
];
const roots = [
    [{}, true], [{ supple: 1 }, true], [{ supple: 2 }, true], [{ $schema: "x", _a: 1, extras: 2 }, true], [{ gravity: [0, 0, 0] }, true],
    [{ supple: 3 }, false], [{ supple: 0 }, false], [{ supple: "1" }, false], [{ gravity: [0, 0] }, false], [{ gravity: [0, 0, 10001] }, false], [{ element: [] }, false],
    [{ elements: {} }, false], [{ elements: [3] }, false], [[], false], [3, false],
];

const cases = [...roots];
for (const [list, right] of [[good, true], [bad, false]]) {
    for (const fields of list) {
        cases.push([{ elements: [{ driver: "a", ...fields }] }, right]);
    }
}
const folder = mkdtempSync(join(tmpdir(), "supple-schema-"));
for (const [rig, right] of cases) {
    const path = join(folder, "a.rig.json");
    writeFileSync(path, JSON.stringify(rig));
    const program = spawnSync(process.env.SUPPLE_BIN, ["rig", "--check", path], { encoding: "utf8" });
    expect(validate(rig) === right, `the schema ${right ? "refuses" : "accepts"} ${JSON.stringify(rig)} ${JSON.stringify(validate.errors)}`);
    expect(program.status === (right ? 0 : 1), `the program ${right ? "refuses" : "accepts"} ${JSON.stringify(rig)}: ${program.stderr}`);
}
rmSync(folder, { recursive: true });
console.log(`${rigs.length} written rigs, ${cases.length} written by hand: ${failures} differences`);
process.exit(failures === 0 && rigs.length > 0 ? 0 : 1);
