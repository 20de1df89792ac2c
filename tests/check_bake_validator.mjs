// Every test asset that `supple bake` takes, baked in several ways: gltf-validator, which is not ours, finds no error in the result and no
// warning that the input did not have.
//
// usage: node tests/check_bake_validator.mjs        $SUPPLE_BIN: the program
// With $SUPPLE_QUICK, as './run test' has it, every file is baked in the first way and one of the others, which take turns.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

function find(folder) {
    return readdirSync(folder, { withFileTypes: true })
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap((entry) => (entry.isDirectory() ? find(join(folder, entry.name)) : [join(folder, entry.name)]))
        .filter((path) => /\.(glb|gltf)$/.test(path));
}

// How often each code comes, by severity: 0 error, 1 warning.
async function report(path) {
    const externalResourceFunction = async (uri) => new Uint8Array(readFileSync(resolve(dirname(path), decodeURIComponent(uri))));
    try {
        const result = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0, externalResourceFunction });
        const counts = new Map();
        for (const message of result.issues.messages.filter((issue) => issue.severity <= 1)) {
            const kind = `${message.severity === 0 ? "error" : "warning"} ${message.code}`;
            counts.set(kind, { count: (counts.get(kind)?.count ?? 0) + 1, example: `${message.pointer}: ${message.message}` });
        }
        return counts;
    } catch (error) {
        return new Map([["error EXCEPTION", { count: 1, example: String(error) }]]);
    }
}

const ways = [
    ["baked.glb"],
    ["exact.glb", "--influences", "8", "--keys", "cubic"],
    ["text/baked.gltf", "--keep-names", "--no-embed"],
    ["live.glb", "--live"],
    ["morphs.glb", "--as", "morphs"],
    ["text/morphs.gltf", "--as", "morphs", "--no-normals", "--keep-names"],
    ["dropped.glb", "--drop-originals", "--fps", "24"],
];
const quick = Boolean(process.env.SUPPLE_QUICK);
const folder = mkdtempSync(join(tmpdir(), "supple-bakes-"));
mkdirSync(join(folder, "text"));
let baked = 0;
let turns = 0;
let wrong = 0;
const bad = (words) => {
    wrong += 1;
    console.log(words);
};
for (const path of find(assets)) {
    const before = await report(path);
    const isClean = ![...before.keys()].some((kind) => kind.startsWith("error"));
    for (const [out, ...options] of quick ? [ways[0], ways[1 + (turns % (ways.length - 1))]] : ways) {
        const written = join(folder, out);
        const run = spawnSync(process.env.SUPPLE_BIN, ["bake", path, written, ...options, "--json"], { encoding: "utf8" });
        if (run.status !== 0) {
            // why, in one line; before it at most one that tells what was repaired
            const lines = run.stderr.trim().split("\n").filter((line) => !/: repaired: /.test(line));
            if (run.status !== 1 || lines.length !== 1 || existsSync(written)) {
                bad(`${path} ${options.join(" ")}: exit code ${run.status}: ${run.stderr}`);
            }
            break;
        }
        baked += 1;
        turns += out === ways[0][0] ? 1 : 0;
        const after = await report(written);
        for (const [kind, { count, example }] of after) {
            if (isClean && count > (before.get(kind)?.count ?? 0)) {
                bad(`${basename(path)} ${out} ${options.join(" ")}: ${count} of ${kind}: ${example}`);
            }
        }
        rmSync(folder, { recursive: true });
        mkdirSync(join(folder, "text"), { recursive: true });
    }
}
rmSync(folder, { recursive: true });
console.log(`${baked} files baked, ${wrong} findings`);
process.exit(wrong > 0 || baked < 50 ? 1 : 0);
