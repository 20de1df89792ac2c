// Characters for the players that live in a browser, and what the C library makes of them.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { farthest, makeFolder } from "./baked_files.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const truth = join(dirname(process.env.SUPPLE_BIN), "tests/live_truth");
const assets = process.env.SUPPLE_ASSETS ?? join(here, "../../../shared/assets");

/// The built-in woman, and others where they are: a folder and the names of the files in it.
export function makeCharacters() {
    const folder = makeFolder();
    execFileSync(process.env.SUPPLE_BIN, ["demo", "woman", folder], { stdio: "ignore" });
    const names = ["woman.glb"];
    for (const path of ["mh_human/mh_heavy.glb", "khronos_fox/glTF-Binary/Fox.glb"]) {
        if (existsSync(join(assets, path))) {
            names.push(path.split("/").pop());
            copyFileSync(join(assets, path), join(folder, names.at(-1)));
        }
    }
    return { folder, names };
}

/// Where the C library has every vertex after 90 frames.
export function truthOf(folder, name) {
    execFileSync(truth, [join(folder, name), join(folder, "truth")]);
    return new Float32Array(new Uint8Array(readFileSync(join(folder, "truth"))).buffer);
}

/// How far vertices are from that, as a share of the largest displacement.
export function shareOff(living, smooth, truthFloats) {
    const wanted = truthFloats.subarray(0, living.length);
    return farthest(living, wanted) / farthest(smooth, wanted);
}

let failed = 0;
export function expect(holds, words) {
    console.log(`${holds ? "ok" : "NOT OK"}: ${words}`);
    failed += holds ? 0 : 1;
}

export function finish() {
    process.exit(failed === 0 ? 0 : 1);
}
