// Every test asset that Supple can open, written again with nothing added: gltf-validator, which is not ours, gives the same report.
//
// usage: node tests/check_gltf_validator.mjs COPIER       COPIER --copy FOLDER FILE…: writes FOLDER/N/NAME for the N-th file, where it can
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

let validator;
try {
    validator = (await import("gltf-validator")).default;
} catch {
    console.log("skipped: gltf-validator is not installed ('npm ci' in tests)");
    process.exit(77);
}
const assets = process.env.SUPPLE_ASSETS ?? "../shared/assets";
if (!existsSync(assets)) {
    console.log("skipped: no test assets; SUPPLE_ASSETS names their folder");
    process.exit(77);
}

// What the container's own spelling decides: where JSON starts to be wrong, bytes after the end.
const aboutTheContainer = new Set(["INVALID_JSON", "GLB_EXTRA_DATA", "GLB_CHUNK_LENGTH_UNALIGNED", "GLB_LENGTH_MISMATCH", "GLB_UNALIGNED_CHUNK"]);

function find(folder) {
    return readdirSync(folder, { withFileTypes: true })
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap((entry) => (entry.isDirectory() ? find(join(folder, entry.name)) : [join(folder, entry.name)]))
        .filter((path) => /\.(glb|gltf)$/.test(path));
}

async function report(path) {
    const externalResourceFunction = async (uri) => {
        const file = resolve(dirname(path), decodeURIComponent(uri));
        if (!existsSync(file)) {
            throw `no file ${uri}`; // without the folder, which differs
        }
        return new Uint8Array(readFileSync(file));
    };
    try {
        const result = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0, externalResourceFunction });
        const messages = result.issues.messages.filter((message) => !aboutTheContainer.has(message.code));
        // Which order the validator finds things in depends on which file arrives first.
        const words = messages.map((message) => JSON.stringify({ ...message, offset: undefined })).sort();
        return { words, info: result.info, about: result.issues.messages.length - messages.length };
    } catch (error) {
        return { words: [String(error)], info: null, about: 0 };
    }
}

const files = find(assets);
const folder = mkdtempSync(join(tmpdir(), "supple-copies-"));
const copying = spawnSync(process.argv[2], ["--copy", folder, ...files], { encoding: "utf8" });
let compared = 0;
let different = 0;
let apart = 0;
if (copying.status !== 0) {
    console.log(copying.stdout + copying.stderr);
    different += 1;
}
for (const [number, path] of files.entries()) {
    const copy = join(folder, String(number), basename(path));
    if (!existsSync(copy)) {
        continue;
    }
    const before = await report(path);
    const after = await report(copy);
    compared += 1;
    apart += before.about > 0 ? 1 : 0;
    if (before.about === 0 && JSON.stringify(before.info) !== JSON.stringify(after.info)) {
        different += 1;
        console.log(`${path}: info ${JSON.stringify(before.info)} became ${JSON.stringify(after.info)}`);
    }
    if (before.about === 0 && before.words.join() !== after.words.join()) {
        different += 1;
        console.log(`${path}:\n  ${before.words.join("\n  ")}\nbecame\n  ${after.words.join("\n  ")}`);
    }
}
rmSync(folder, { recursive: true });
console.log(`${compared} files written again, ${different} of them with another report (${apart} whose container was out of order not compared)`);
process.exit(different === 0 && compared > 250 ? 0 : 1);
