// A page in Chromium with three.js or Babylon.js, the JavaScript package and one of our scripts; files of a folder are served to it below /files.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html", ".glb": "model/gltf-binary", ".wasm": "application/wasm" };

/// Opens it and waits until `ready` is there. Gives the tab and what closes everything.
export async function openPage(folder, script, ready, flags = []) {
    const page = `<!doctype html><script type="importmap">{"imports":{"three":"/three/build/three.module.js","three/addons/":"/three/examples/jsm/","supple/three":"/supple/three.js","supple/babylon":"/supple/babylon.js","@babylonjs/":"/babylon/"}}</script>
<script type="module" src="/here/${script}"></script>`;
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
        const roots = { three: join(here, "node_modules/three"), here, files: folder, supple: join(here, "../../js/dist"), babylon: join(here, "node_modules/@babylonjs") };
        const [, root, ...rest] = path.split("/");
        try {
            const body = path === "/" ? page : await readFile(join(roots[root], rest.join("/")));
            response.writeHead(200, { "content-type": types[path.slice(path.lastIndexOf("."))] ?? "text/html" }).end(body);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
    const browser = await chromium.launch({
        executablePath: process.env.SUPPLE_CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...quiet, ...flags],
        timeout: 60000,
    });
    const tab = await browser.newPage();
    tab.on("pageerror", (error) => console.log(`page: ${error}`));
    tab.on("console", (message) => console.log(`page: ${message.text()}`));
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction(`window.${ready} !== undefined`, undefined, { timeout: 60000 });
    const close = async () => {
        await browser.close();
        server.close();
    };
    return { tab, close };
}
