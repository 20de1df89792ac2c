// Makes what docs/export.md and docs/export-results.md show of real players: docs/export/players.webp, the same moment drawn by Supple, three.js and Blender with the differences of
// their vertices, and the table of sizes and errors. Called by `./run export`; needs the test assets.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bake, farthest, inputs, makeFolder, ROUNDING, supple } from "./baked_files.mjs";
import { openPage } from "./chromium_page.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = makeFolder();
const found = inputs();
const heavy = found.find((input) => input.name === "heavy");
const fox = found.find((input) => input.name === "fox");
if (heavy === undefined || fox === undefined) {
    console.log("the test assets are not there; nothing is made");
    process.exit(1);
}

// ------------------------------------------------------------------------------------------------------------------
// Pictures

const [width, height] = [250, 400];
const clip = "run";
const [yaw, pitch] = [118, 8];

function viewOf(positions) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    positions.forEach((value, i) => {
        low[i % 3] = Math.min(low[i % 3], value);
        high[i % 3] = Math.max(high[i % 3], value);
    });
    const [a, b] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
    const back = [Math.sin(a) * Math.cos(b), Math.sin(b), Math.cos(a) * Math.cos(b)];
    return { center: low.map((value, i) => (value + high[i]) / 2), back, width: (1.12 * (high[1] - low[1]) * width) / height };
}

function inBlender(file, frame, view) {
    const work = { path: file.path, fps: file.fps, clip, frame, view, width, height, picture: join(folder, "blender.png"), positions: join(folder, "blender.f32") };
    writeFileSync(join(folder, "work.json"), JSON.stringify(work));
    const words = ["-b", "--factory-startup", "--python-exit-code", "3", "--python", join(here, "blender_picture.py"), "--", join(folder, "work.json")];
    const run = spawnSync(process.env.SUPPLE_BLENDER ?? "blender", words, { encoding: "utf8", timeout: 300000 });
    if (run.status !== 0) {
        throw new Error(run.stdout + run.stderr);
    }
    const bytes = readFileSync(work.positions);
    return { picture: work.picture, positions: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4) };
}

function apart(a, b) {
    return Array.from({ length: b.length / 3 }, (_, i) => Math.hypot(a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1], a[3 * i + 2] - b[3 * i + 2]));
}

const dataUrl = (path) => `data:image/png;base64,${readFileSync(path).toString("base64")}`;

async function makePictures() {
    const file = bake(folder, heavy, "players", "--as", "joints");
    const baked = file.clips.find((one) => one.name === clip);
    const { frame, time, positions: truth } = baked.poses[2];
    const view = viewOf(truth);
    const ours = join(folder, "ours.png");
    supple("render", heavy.path, ours, "--preset", "natural", "--clip", clip, "--time", String(time), "--parallel", "--camera", `${yaw},${pitch}`, "--size", `${width}x${height}`,
        "--background", "transparent", "--no-ground");
    const blender = inBlender(file, frame, view);
    const { tab, close } = await openPage(folder, "picture_page.mjs", "sheet");
    try {
        const size = { view, width, height };
        const three = await tab.evaluate((call) => window.draw(call), { url: `/files/${file.path.slice(folder.length + 1)}`, clip, time, ...size });
        const heats = [];
        const words = [];
        for (const positions of [three.positions, blender.positions]) {
            const call = { positions: [...truth], index: three.index, differences: apart(positions, truth), most: baked.allowed, ...size };
            heats.push(await tab.evaluate((one) => window.heat(one), call));
            const worst = farthest(positions, truth);
            if (worst > baked.allowed + ROUNDING * file.size) {
                throw new Error(`a player is off by ${worst / file.size} of the size: that is not what the page says`);
            }
            words.push(`${((100 * worst) / file.size).toFixed(3)}%`);
        }
        const most = `${((100 * baked.allowed) / file.size).toFixed(3)}%`;
        const captions = ["Supple, the living skin", "three.js, the baked file", "Blender, the baked file", `three.js: at most ${words[0]} of the size\nred: ${most}, as printed`,
            `Blender: at most ${words[1]} of the size\nred: ${most}, as printed`];
        const pictures = [dataUrl(ours), three.picture, dataUrl(blender.picture), ...heats];
        const sheet = await tab.evaluate((call) => window.sheet(call), { pictures, captions, width, height, quality: 0.8 });
        mkdirSync("docs/export", { recursive: true });
        writeFileSync("docs/export/players.webp", Buffer.from(sheet.split(",")[1], "base64"));
        console.log(`docs/export/players.webp: ${statSync("docs/export/players.webp").size} bytes`);
    } finally {
        await close();
    }
}

// ------------------------------------------------------------------------------------------------------------------
// The table

const forms = [
    ["joints, four influences", "out.glb", "--as", "joints"],
    ["joints, eight influences", "out.glb", "--as", "joints", "--influences", "8"],
    ["joints, cubic keys", "out.glb", "--as", "joints", "--keys", "cubic"],
    ["morphs", "out.glb", "--as", "morphs"],
    ["morphs, `--no-normals`", "out.glb", "--as", "morphs", "--no-normals"],
    ["cache", "out.pc2"],
    ["cache, `--weld`", "out.pc2", "--weld"],
];
/// Bytes that morphs without normals add, and those of the first cache.
const added = {};
const raw = {};
const commas = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

/// Cells of one character in one form: bytes, largest error, normals.
function cells(input, out, options) {
    const report = JSON.parse(supple("bake", input.path, join(folder, out), "--json", ...options));
    if (report.form === "cache") {
        const bytes = report.caches.reduce((sum, cache) => sum + cache.bytes, 0);
        raw[input.name] ??= bytes;
        const atFrames = Math.max(...report.caches.map((cache) => cache.maxErrorAtFrames));
        return [commas(bytes), atFrames === 0 ? "0" : `${((100 * atFrames) / report.size).toPrecision(1)}%`, "none"];
    }
    const worst = Math.max(...report.clips.map((one) => Math.max(one.maxError, one.maxErrorAtKeys)));
    const turn = Math.max(...report.clips.map((one) => one.maxNormalError));
    if (options.includes("--no-normals")) {
        added[input.name] = report.bytesOut - report.bytesIn;
    }
    return [commas(report.bytesOut), `${((100 * worst) / report.size).toFixed(3)}%`, report.normals ? `${turn.toPrecision(2)}°` : "none"];
}

function makeTable() {
    const size = (input) => commas(statSync(input.path).size);
    const rows = ["| | fox, bytes | largest error | normals | heavy man, bytes | largest error | normals |", "|---|---:|---:|---:|---:|---:|---:|",
        `| the file before | ${size(fox)} | | | ${size(heavy)} | | |`];
    for (const [name, out, ...options] of forms) {
        rows.push(`| ${[name, ...cells(fox, out, options), ...cells(heavy, out, options)].join(" | ")} |`);
    }
    const share = (input) => `1/${Math.round(raw[input.name] / added[input.name])}`;
    rows.push("", `What morphs without normals add is ${share(fox)} of the raw cache for the fox, ${share(heavy)} for the heavy man.`);
    const page = readFileSync("docs/export-results.md", "utf8");
    const marked = /(<!-- made by .\/run export -->\n)[\s\S]*?(<!-- end -->)/;
    if (marked.test(page) === false) {
        throw new Error("docs/export-results.md has no place for the table");
    }
    writeFileSync("docs/export-results.md", page.replace(marked, `$1${rows.join("\n")}\n$2`));
    console.log(rows.join("\n"));
}

await makePictures();
makeTable();
