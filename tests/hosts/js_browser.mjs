#!/usr/bin/env node
// The JavaScript package in Chromium: bakes have the program's bytes with SIMD, without it and where there is none; a page
// goes on drawing while it bakes; wrong files do no harm; and what a frame costs beside C, which is told and not judged.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { characters } from "../../js/test/characters.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const assets = process.env.SUPPLE_ASSETS ?? join(root, "../shared/assets");
const program = process.env.SUPPLE_BIN ?? join(root, "build/release/supple");
if (!existsSync(assets)) {
    console.log("no test assets");
    process.exit(77);
}
const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
const folder = mkdtempSync(join(tmpdir(), "supple-js-"));
const failures = [];
const check = (name, good, told = "") => {
    console.log(`${good ? "ok  " : "FAIL"} ${name}${told ? `: ${told}` : ""}`);
    if (!good) {
        failures.push(name);
    }
};

const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const [, top, ...rest] = path.split("/");
    const roots = { js: join(root, "js"), assets, here };
    try {
        const body = path === "/" ? '<!doctype html><script type="module" src="/here/js_page.mjs"></script>' : readFileSync(join(roots[top], ...rest));
        response.writeHead(200, { "content-type": types[extname(path)] ?? (path === "/" ? "text/html" : "application/octet-stream") }).end(body);
    } catch {
        response.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A page of its own browser; `flags` are V8's. */
async function open(flags = "") {
    const browser = await chromium.launch({
        executablePath: process.env.SUPPLE_CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", ...quiet, ...(flags ? [`--js-flags=${flags}`] : [])],
        timeout: 60000,
    });
    const tab = await browser.newPage();
    tab.on("pageerror", (error) => check("no error on the page", false, String(error)));
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction("window.supple !== undefined", undefined, { timeout: 60000 });
    return { browser, tab };
}

try {
    const { browser, tab } = await open();
    for (const [name, clip, form] of characters) {
        const path = join(assets, name);
        const clipName = await tab.evaluate(([url, which]) => window.clipName(url, which), [`/assets/${name}`, clip]);
        const out = join(folder, "out.glb");
        execFileSync(program, ["bake", path, out, "--clip", clipName, "--as", form], { stdio: "pipe" });
        const hash = createHash("sha256").update(readFileSync(out)).digest("hex");
        for (const simd of [true, false]) {
            const got = await tab.evaluate((call) => window.bakeHash(call), { url: `/assets/${name}`, clip: clipName, form, simd });
            check(`${name} as ${form}, ${simd ? "SIMD" : "plain"}`, got === hash);
        }
    }
    const worker = await tab.evaluate(() => window.bakeBeside("/assets/mh_human/mh_heavy.glb", "walk"));
    check("a page goes on drawing while it bakes", worker.frames > 10 && worker.bytes > 1e5, `${worker.frames} frames in ${worker.seconds.toFixed(2)} s, longest gap ${worker.gap.toFixed(0)} ms`);
    const wrong = await tab.evaluate(() => window.tryWrong("/assets/negative/validator/glb/truncated_chunk_data.glb"));
    check("a wrong file is refused in words, and the page lives on", /cut off/.test(wrong.words) && wrong.clips === 3, wrong.words);
    const grown = await tab.evaluate(() => window.tenThousand("/assets/khronos_fox/glTF-Binary/Fox.glb"));
    check("10,000 frames take no memory", grown === 0, `${grown} bytes`);
    let [frame, native] = [Infinity, Infinity];
    for (let i = 0; i < 5; ++i) {
        // one after the other, the best of each: others use the machine too
        frame = Math.min(frame, await tab.evaluate(() => window.frameMicroseconds("/assets/mh_human/mh_heavy.glb")));
        native = Math.min(native, Number(execFileSync(join(dirname(program), "tests/live_truth"), [join(assets, "mh_human/mh_heavy.glb"), "time"])));
    }
    console.log(`the heavy man, step and vertices with normals: ${frame.toFixed(1)} us in Chromium, ${native.toFixed(1)} us in C with SSE2, ratio ${(frame / native).toFixed(2)}`);
    await browser.close();
    const old = await open("--no-enable-sse4-1");
    const without = await old.tab.evaluate(() => window.withoutSimd("/assets/khronos_fox/glTF-Binary/Fox.glb"));
    check("where there is no SIMD the plain build is taken", without.simd === "scalar" && without.hasSimd === false && without.clips === 3);
    await old.browser.close();
} finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? "all good" : `${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
