#!/usr/bin/env node
// The JavaScript package in a page that Vite builds, as most pages are: the bundle finds the modules of WebAssembly and the
// worker, which bakes the same bytes as the program; nothing of Node's is asked for.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = process.env.SUPPLE_BIN ?? join(root, "build/release/supple");
const vite = join(root, "studio/node_modules/vite/dist/node/index.js");
if (!existsSync(vite)) {
    console.log("no Vite: './run studio --build' installs it");
    process.exit(77);
}
const types = { ".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
const folder = mkdtempSync(join(tmpdir(), "supple-bundled-"));
const failures = [];
const check = (name, good, told = "") => {
    console.log(`${good ? "ok  " : "FAIL"} ${name}${told ? `: ${told}` : ""}`);
    if (!good) {
        failures.push(name);
    }
};

/// As npm installs it, beside three.js.
function makeProject() {
    const modules = join(folder, "node_modules");
    mkdirSync(join(modules, "supple"), { recursive: true });
    cpSync(join(root, "js/dist"), join(modules, "supple/dist"), { recursive: true });
    cpSync(join(root, "js/package.json"), join(modules, "supple/package.json"));
    symlinkSync(join(root, "js/node_modules/three"), join(modules, "three"));
    execFileSync(program, ["demo", "cat", join(folder, "public")], { stdio: "pipe" });
    writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="/main.js"></script>');
    writeFileSync(join(folder, "main.js"), `
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { bakeInWorker } from "supple";
import { enliven } from "supple/three";

window.live = async () => {
    const living = await enliven(await new GLTFLoader().loadAsync("./cat.glb"));
    return living.elements.length > 0 && living.update(1 / 60);
};
window.bakeBeside = async () => {
    const file = await (await fetch("./cat.glb")).arrayBuffer();
    const { bytes } = await bakeInWorker(file, { name: "cat.glb" });
    return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((one) => one.toString(16).padStart(2, "0")).join("");
};
window.ready = true;
`);
}

makeProject();
const { build } = await import(pathToFileURL(vite));
const said = [];
const logger = { info() {}, warn: (words) => said.push(words), warnOnce: (words) => said.push(words), error: (words) => said.push(words), clearScreen() {}, hasErrorLogged: () => false };
const built = await build({ root: folder, configFile: false, customLogger: logger, build: { chunkSizeWarningLimit: 5000 } });
const names = built.output.map(({ fileName }) => fileName);
check("nothing of Node's is asked for", !said.some((words) => /externalized|node:/.test(words)) && !names.some((name) => /browser-external/.test(name)), said.join("; "));

const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(folder, "dist", path === "/" ? "index.html" : path);
    if (existsSync(file)) {
        response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
    } else {
        response.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.SUPPLE_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", ...quiet], timeout: 60000 });
try {
    const tab = await browser.newPage();
    tab.on("pageerror", (error) => check("no error on the page", false, String(error)));
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction("window.ready", undefined, { timeout: 60000 });
    check("a character lives", await tab.evaluate(() => window.live().catch(String)) === true);
    execFileSync(program, ["bake", join(folder, "public/cat.glb"), join(folder, "out.glb")], { stdio: "pipe" });
    const wanted = createHash("sha256").update(readFileSync(join(folder, "out.glb"))).digest("hex");
    const got = await tab.evaluate(() => window.bakeBeside().catch(String));
    check("a worker bakes the program's bytes", got === wanted, got);
} finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? "all good" : `${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
