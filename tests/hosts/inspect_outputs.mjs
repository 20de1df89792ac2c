#!/usr/bin/env node
// Every output in glTF is accepted by gltf-validator, without an error and without a warning that the input did not have, and by `gltf-transform inspect`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import validator from "gltf-validator";
import { inputs, makeFolder, supple } from "./baked_files.mjs";

const transform = join(dirname(fileURLToPath(import.meta.url)), "node_modules/.bin/gltf-transform");

async function issues(path) {
    const externalResourceFunction = async (uri) => new Uint8Array(readFileSync(resolve(dirname(path), decodeURIComponent(uri))));
    const { issues: found } = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0, externalResourceFunction });
    return found;
}

const ways = [
    ["joints.glb", "--as", "joints"],
    ["eight.glb", "--as", "joints", "--influences", "8"],
    ["cubic.glb", "--as", "joints", "--keys", "cubic"],
    ["morphs.glb", "--as", "morphs"],
    ["text.gltf", "--keep-names"],
    ["live.glb", "--live"],
];
const folder = makeFolder();
let wrong = 0;
let checked = 0;
for (const input of inputs()) {
    const before = await issues(input.path);
    for (const [name, ...options] of ways) {
        const path = join(folder, input.name, name);
        mkdirSync(dirname(path), { recursive: true });
        supple("bake", input.path, path, ...options);
        const after = await issues(path);
        const run = spawnSync(transform, ["inspect", "--format", "csv", path], { encoding: "utf8", timeout: 120000, env: { ...process.env, NO_UPDATE_NOTIFIER: "1" } });
        const shown = run.status === 0 && /ANIMATIONS/.test(run.stdout) && /skinned|Body|[Mm]esh/.test(run.stdout);
        const good = after.numErrors === 0 && after.numWarnings <= before.numWarnings && shown;
        console.log(`${good ? "ok   " : "WRONG"} ${input.name} ${name}: ${after.numErrors} errors, ${after.numWarnings} warnings (${before.numWarnings} before); inspect ${shown}`);
        if (!good) {
            console.log(JSON.stringify(after.messages.slice(0, 5)), run.stdout?.slice(-2000), run.stderr?.slice(-2000), run.error);
            wrong += 1;
        }
        checked += 1;
    }
}
console.log(`${checked} files, ${wrong} wrong`);
process.exit(wrong === 0 && checked >= 10 ? 0 : 1);
