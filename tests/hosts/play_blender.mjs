#!/usr/bin/env node
// Blender, without a screen, imports baked files and reads point caches by its Mesh Cache modifier: its vertices stand where the living skin is.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bake, editGlb, inputs, Judge, makeFolder, supple, turningInput } from "./baked_files.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = makeFolder();
const files = [...inputs(), turningInput()].flatMap((input) => ["joints", "morphs"].map((form) => {
    const file = bake(folder, input, form, "--as", form);
    file.still = file.path.replace(/\.glb$/, "-still.glb");
    writeFileSync(file.still, editGlb(file.path, (gltf) => delete gltf.animations));
    for (const clip of file.clips) {
        clip.frames = clip.poses.map((pose) => pose.frame);
        clip.caches = [];
        if (form === "joints") { // caches are the same whatever the glTF file holds
            const mdd = clip.cache.replace(/\.pc2$/, ".mdd");
            supple("bake", input.path, mdd, "--clip", clip.name, "--fps", String(file.fps), ...(input.words ?? []));
            clip.caches = [clip.cache, mdd];
        }
    }
    return file;
}));
const work = join(folder, "work.json");
const result = join(folder, "result.json");
writeFileSync(work, JSON.stringify(files, (key, value) => (key === "poses" ? undefined : value)));
const words = ["-b", "--factory-startup", "--python-exit-code", "3", "--python", join(here, "blender_side.py"), "--", work, result];
const run = spawnSync(process.env.SUPPLE_BLENDER ?? "blender", words, { encoding: "utf8", timeout: 300000 });
if (run.status !== 0) {
    console.log(run.stdout, run.stderr);
    process.exit(1);
}
const rows = JSON.parse(readFileSync(result));
for (const what of ["glTF", "PC2", "MDD"]) {
    const judge = new Judge(`Blender, ${what}`);
    for (const file of files) {
        for (const clip of file.clips) {
            if (what !== "glTF" && clip.caches.length === 0) {
                continue;
            }
            const { worst } = rows.find((row) => row.file === file.name && row.clip === clip.name && row.what === what);
            // a cache is the living skin itself: there is nothing but rounding to allow
            judge.clip(file, what === "glTF" ? clip : { ...clip, allowed: 0 }, worst);
        }
    }
    if (judge.wrong > 0 || judge.checked < 4) {
        process.exitCode = 1;
    }
}
