#!/usr/bin/env node
// three.js, in Chromium, plays baked files: its skinned vertices stand where the living skin is.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { bake, farthest, inputs, Judge, makeFolder } from "./baked_files.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = makeFolder();
const files = [];
for (const input of inputs()) {
    files.push(bake(folder, input, "joints", "--as", "joints"), bake(folder, input, "cubic", "--as", "joints", "--keys", "cubic"));
    files.push(bake(folder, input, "morphs", "--as", "morphs"));
}

const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html", ".glb": "model/gltf-binary" };
const page = `<!doctype html><script type="importmap">{"imports":{"three":"/three/build/three.module.js","three/addons/":"/three/examples/jsm/"}}</script>
<script type="module" src="/here/three_page.mjs"></script>`;
const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const roots = { three: join(here, "node_modules/three"), here, files: folder };
    const [, root, ...rest] = path.split("/");
    try {
        const body = path === "/" ? page : await readFile(join(roots[root], rest.join("/")));
        response.writeHead(200, { "content-type": types[path.slice(path.lastIndexOf("."))] ?? "text/html" }).end(body);
    } catch {
        response.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const browser = await chromium.launch({
    executablePath: process.env.SUPPLE_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    timeout: 60000,
});
const judge = new Judge("three.js");
try {
    const tab = await browser.newPage();
    tab.on("pageerror", (error) => console.log(`page: ${error}`));
    tab.on("console", (message) => console.log(`page: ${message.text()}`));
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction("window.play !== undefined", undefined, { timeout: 60000 });
    for (const file of files) {
        for (const clip of file.clips) {
            let worst = 0;
            let motion = 0;
            let before;
            const all = await tab.evaluate((call) => window.play(call), {
                url: `/files/${file.path.slice(folder.length + 1)}`,
                clip: clip.name,
                times: clip.poses.map((pose) => pose.time),
                draws: file.draws,
                total: file.total,
            });
            clip.poses.forEach((pose, i) => {
                const bytes = Buffer.from(all[i], "base64");
                const got = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
                worst = Math.max(worst, farthest(got, pose.positions));
                motion = before === undefined ? 0 : Math.max(motion, farthest(got, before));
                before = got;
            });
            judge.clip(file, clip, worst, motion);
        }
    }
} finally {
    await browser.close();
    server.close();
}
judge.finish(4);
