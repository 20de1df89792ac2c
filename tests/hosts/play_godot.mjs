#!/usr/bin/env node
// Godot 3, without a screen, imports baked files and plays their clips: its vertices, skinned with its own bones, stand where the living skin is.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bake, farthest, inputs, Judge, makeFolder, turningInput } from "./baked_files.mjs";

const godot = process.env.SUPPLE_GODOT ?? "godot3-server";
if (spawnSync(godot, ["--version"], { encoding: "utf8" }).error) {
    console.log(`skipped: there is no ${godot}`);
    process.exit(77);
}
const here = dirname(fileURLToPath(import.meta.url));
const folder = makeFolder();
const project = join(folder, "project");
mkdirSync(project);
// its importer plays a clip at its own rate, and then leaves keys out: a rate that hits the file's keys, and all of them
const importer = '{ "animation/fps": 120, "animation/optimizer/enabled": false, "animation/storage": 0 }';
writeFileSync(join(project, "project.godot"), `config_version=4\n\n[application]\n\nconfig/name="supple"\n\n[importer_defaults]\n\nscene=${importer}\n`);
// Godot 3 has no more than four influences, and no clips called alike but for what it takes for a hint ("-loop")
const files = [...inputs(), turningInput()].map((input, i) => {
    const file = bake(folder, input, "joints", "--as", "joints", "--influences", "4");
    file.scene = `scene${i}.glb`;
    copyFileSync(file.path, join(project, file.scene));
    return file;
});
const work = join(folder, "work.json");
const result = join(folder, "result.bin");
const words = files.map(({ scene, clips }) => ({
    scene,
    clips: clips.map(({ name, poses }) => ({ name, times: poses.map(({ time }) => time) })),
}));
writeFileSync(work, JSON.stringify(words));
copyFileSync(join(here, "godot_side.gd"), join(project, "side.gd"));

const environment = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder };

/// The editor imports what it finds in a project, and does not come to an end without a screen: it is ended when all is there.
async function importAll(seconds) {
    const editor = spawn(godot, ["--path", project, "--editor"], { env: environment, stdio: "ignore" });
    const imported = join(project, ".import");
    const isDone = () => existsSync(imported) && readdirSync(imported).filter((name) => name.endsWith(".md5")).length === files.length;
    for (let left = 4 * seconds; left > 0 && !isDone(); left -= 1) {
        await new Promise((resolve) => setTimeout(resolve, 250));
    }
    editor.kill("SIGKILL");
    return isDone();
}

if (!(await importAll(300))) {
    console.log("Godot did not import the files");
    process.exit(1);
}
const options = ["--path", project, "--script", "side.gd", work, result];
const played = spawnSync(godot, options, { encoding: "utf8", timeout: 300000, env: environment });
if (played.status !== 0) {
    console.log(played.stdout, played.stderr);
    process.exit(1);
}

const bytes = readFileSync(result);
let at = 0;
const int = () => bytes.readInt32LE((at += 4) - 4);
const float = () => bytes.readFloatLE((at += 4) - 4);
const many = (count, read) => Array.from({ length: count }, read);

function readSurface() {
    const places = [];
    const bones = [];
    const weights = [];
    for (let left = int(); left > 0; left -= 1) {
        places.push(float(), float(), float());
        for (let k = 0; k < 4; k += 1) {
            bones.push(int());
            weights.push(float());
        }
    }
    return { places, bones, weights };
}

/// All vertices of a mesh, by Godot's bones and weights.
function skin(mesh, matrices, positions) {
    for (const { places, bones, weights } of mesh) {
        for (let v = 0; v < bones.length / 4; v += 1) {
            const place = [0, 0, 0];
            for (let k = 0; k < 4; k += 1) {
                const matrix = matrices[bones[4 * v + k]];
                for (let axis = 0; axis < 3 && weights[4 * v + k] > 0; axis += 1) {
                    const rotated = matrix[axis] * places[3 * v] + matrix[3 + axis] * places[3 * v + 1] + matrix[6 + axis] * places[3 * v + 2];
                    place[axis] += weights[4 * v + k] * (rotated + matrix[9 + axis]);
                }
            }
            positions.push(...place);
        }
    }
}

const judge = new Judge("Godot");
for (const file of files) {
    const meshes = many(int(), () => many(int(), readSurface));
    for (const clip of file.clips) {
        let worst = 0;
        for (const pose of clip.poses) {
            const positions = [];
            meshes.forEach((mesh) => skin(mesh, many(int(), () => many(12, float)), positions));
            worst = Math.max(worst, farthest(positions, pose.positions));
        }
        judge.clip(file, clip, worst);
    }
}
judge.finish(4);
