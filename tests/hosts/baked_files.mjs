// Files for the players, and where their vertices must stand: not where another reader of the baked file puts them, but where the living skin itself
// is, frame by frame, as `supple bake OUT.pc2` writes it. A player may be off by what the bake printed, and by its own rounding.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const program = process.env.SUPPLE_BIN ?? "build/release/supple";
const assets = process.env.SUPPLE_ASSETS ?? "../shared/assets";

/// Single precision, over a chain of a dozen joints and tens of metres of root motion: share of the size.
export const ROUNDING = 1e-5;
const FPS = 30;

export function supple(...words) {
    const run = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, timeout: 120000 });
    if (run.status !== 0) {
        throw new Error(`supple ${words.join(" ")}: exit code ${run.status}: ${run.stderr}`);
    }
    return run.stdout;
}

export function makeFolder() {
    const folder = mkdtempSync(join(tmpdir(), "supple-hosts-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/// The characters to bake: the built-in ones always, the fox and the heavy man where the test assets are.
export function inputs() {
    const found = [];
    for (const name of ["cat", "woman"]) {
        // the demo films them too: once for all players, and again for a new program
        const path = resolve("build/hosts", name, `${name}.glb`);
        if (!existsSync(path) || statSync(path).mtimeMs < statSync(program).mtimeMs) {
            supple("demo", name, dirname(path));
        }
        found.push({ name, path });
    }
    for (const [name, path] of [
        ["fox", "khronos_fox/glTF-Binary/Fox.glb"],
        ["heavy", "mh_human/mh_heavy.glb"],
    ]) {
        if (existsSync(join(assets, path))) {
            found.push({ name, path: resolve(assets, path) });
        } else {
            console.log(`${name}: not there (SUPPLE_ASSETS names the folder); skipped`);
        }
    }
    return found;
}

/// The mushroom with a cap that turns: helper joints with rotation keys, exact with four influences.
export function turningInput() {
    const path = resolve("build/hosts/mushroom/mushroom.glb");
    const rig = resolve("build/hosts/mushroom/turning.rig.json");
    supple("demo", "mushroom", dirname(path));
    supple("rig", path, rig, "--force");
    const words = JSON.parse(readFileSync(rig, "utf8"));
    words.modes = [{ name: "cap turns", element: words.elements[0].name, motion: "turn", frequency: 3, dampingRatio: 0.15, amount: 1.5 }];
    writeFileSync(rig, JSON.stringify(words));
    return { name: "mushroom turning", path, words: ["--rig", rig] };
}

/// The positions in a .pc2: frames of points of three.
export function readPc2(path) {
    const bytes = readFileSync(path);
    const points = bytes.readInt32LE(16);
    const frames = bytes.readInt32LE(28);
    const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset + 32, bytes.byteOffset + 32 + 12 * points * frames));
    return { points, frames, at: (frame) => floats.subarray(3 * points * frame, 3 * points * (frame + 1)) };
}

/// A .glb with its JSON changed by `edit`; the bytes.
export function editGlb(path, edit) {
    const bytes = readFileSync(path);
    const length = bytes.readUInt32LE(12);
    const gltf = JSON.parse(bytes.subarray(20, 20 + length).toString("utf8"));
    edit(gltf);
    let text = Buffer.from(JSON.stringify(gltf));
    text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
    const rest = bytes.subarray(20 + length);
    const head = Buffer.alloc(20);
    head.writeUInt32LE(0x46546c67, 0);
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(20 + text.length + rest.length, 8);
    head.writeUInt32LE(text.length, 12);
    head.writeUInt32LE(0x4e4f534a, 16);
    return Buffer.concat([head, text, rest]);
}

/// The default scene's vertices as the file lists them: one entry for each primitive of each node.
function draws(path) {
    const bytes = readFileSync(path);
    const gltf = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString("utf8"));
    const list = [];
    let first = 0;
    gltf.nodes.forEach((node, n) => {
        const primitives = node.mesh === undefined ? [] : gltf.meshes[node.mesh].primitives;
        primitives.forEach((primitive, p) => {
            const count = gltf.accessors[primitive.attributes.POSITION].count;
            list.push({ node: n, mesh: node.mesh, primitive: p, first, count });
            first += count;
        });
    });
    return { list, total: first };
}

/// Bakes one character. Gives the file, its clips with the errors that were printed, its draws, and the truth at a few times of each clip.
export function bake(folder, input, label, ...options) {
    const place = join(folder, `${input.name}-${label}`);
    const words = input.words ?? [];
    mkdirSync(place);
    const path = join(place, "baked.glb");
    const report = JSON.parse(supple("bake", input.path, path, "--json", ...words, ...options));
    const caches = JSON.parse(supple("bake", input.path, join(place, "truth.pc2"), "--fps", String(FPS), "--json", ...words));
    const { list, total } = draws(path);
    const clips = report.clips.map((clip) => {
        const cache = caches.caches.find((row) => row.clip === clip.name);
        const truth = readPc2(cache.output);
        if (truth.points !== total) {
            throw new Error(`${path}: ${total} vertices, the cache has ${truth.points}`);
        }
        const frames = [...new Set([0, 0.13, 0.31, 0.5, 0.77, 1].map((share) => Math.round(share * (truth.frames - 1))))];
        return {
            name: clip.name,
            allowed: Math.max(clip.maxError, clip.maxErrorAtKeys),
            cache: cache.output,
            poses: frames.map((frame) => ({ frame, time: frame / FPS, positions: truth.at(frame) })),
        };
    });
    return { name: `${input.name} ${label}`, path, size: report.size, form: report.form, clips, draws: list, total, fps: FPS };
}

export function farthest(got, expected) {
    let worst = 0;
    for (let i = 0; i < expected.length; i += 3) {
        const d = Math.hypot(got[i] - expected[i], got[i + 1] - expected[i + 1], got[i + 2] - expected[i + 2]);
        worst = d > worst || Number.isNaN(d) ? d : worst;
        if (Number.isNaN(worst)) {
            return Infinity;
        }
    }
    return got.length >= expected.length ? worst : Infinity;
}

/// Compares and counts: one line a clip.
export class Judge {
    constructor(player) {
        this.player = player;
        this.wrong = 0;
        this.checked = 0;
    }

    clip(file, clip, worst, motion) {
        const allowed = clip.allowed + ROUNDING * file.size;
        const good = worst <= allowed;
        this.wrong += good ? 0 : 1;
        this.checked += 1;
        const share = (length) => `${((100 * length) / file.size).toFixed(5)}%`;
        console.log(
            `${good ? "ok   " : "WRONG"} ${this.player}: ${file.name}, ${clip.name}: ${share(worst)} of the size, printed ${share(clip.allowed)}` +
                (motion === undefined ? "" : `, moves by ${share(motion)}`),
        );
    }

    finish(least) {
        console.log(`${this.checked} clips, ${this.wrong} wrong`);
        process.exit(this.wrong === 0 && this.checked >= least ? 0 : 1);
    }
}
