// What the tests of the studio share: the program's server, a page in Chromium, and what is waited for.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const assets = process.env.SUPPLE_ASSETS ?? join(root, "../shared/assets");
export const program = process.env.SUPPLE_BIN ?? join(root, "build/release/supple");
if (!existsSync(assets)) {
    console.log("no test assets");
    process.exit(77);
}
if (!existsSync(join(root, "studio/dist/index.html"))) {
    execFileSync(join(root, "run"), ["studio", "--build"], { stdio: "inherit" });
}
export const folder = mkdtempSync(join(tmpdir(), "supple-studio-"));

const failures = [];
export const check = (name, good, told = "") => {
    console.log(`${good ? "ok  " : "FAIL"} ${name}${told === "" ? "" : `: ${told}`}`);
    if (!good) {
        failures.push(name);
    }
};

/** The program's server; gives its address and how it is ended. */
function serve(...words) {
    const child = spawn(program, ["studio", "--no-open", "--page", join(root, "studio/dist"), ...words], { stdio: ["ignore", "pipe", "inherit"] });
    return new Promise((done, failed) => {
        child.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
        child.stdout.on("data", (text) => done({ address: String(text).split("\n")[0], end: () => child.kill("SIGTERM") }));
    });
}

/** Waits until a function of the page says so. The page allows no eval, which Playwright's own waiting uses. */
export async function until(tab, ready, argument) {
    const end = Date.now() + 120000;
    while (!(await tab.evaluate(ready, argument))) {
        if (Date.now() > end) {
            throw new Error(`waited in vain for ${ready} of ${String(argument).slice(0, 80)}; the page says "${await tab.textContent("#error")}"`);
        }
        await new Promise((done) => setTimeout(done, 30));
    }
}

/** Errors of the page, and addresses that it asked for. */
export const errors = [], asked = [];
export async function openPage(browser, address, { size = { width: 1280, height: 720 }, script } = {}) {
    const context = await browser.newContext({ viewport: size, acceptDownloads: true });
    const tab = await context.newPage();
    tab.setDefaultTimeout(120000); // machines that test do much at once
    if (script) {
        await tab.addInitScript({ path: script });
    }
    tab.on("pageerror", (error) => errors.push(String(error)));
    tab.on("console", (line) => line.type() === "error" && errors.push(line.text()));
    context.on("request", (one) => asked.push(one.url().split("?")[0]));
    await tab.goto(address);
    await until(tab, () => window.studio?.isReady === true);
    return tab;
}

export const isOpen = (tab, name) => until(tab, (wanted) => window.studio.session.name === wanted && window.studio.player.skins !== null && window.studio.player.shown !== null, name);
export const drop = (tab, path) => tab.setInputFiles("#file", path);
export const rigText = (tab) => tab.evaluate(() => window.studio.session.text);
export const rigOf = (tab) => tab.evaluate(() => window.studio.session.rig);
/** The rig is another than it was. */
export const settled = (tab, text) => until(tab, (before) => window.studio.session.text !== before, text);
/** Where the vertices are that are drawn now. */
export const skin = (tab) => tab.evaluate(() => Array.from(window.studio.player.skins.living.positions));
export const farthest = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

/** All that was asked for is done, and a frame of it is there. */
export const shown = (tab) => tab.evaluate(async () => {
    const { player, edits } = window.studio;
    await edits.queue;
    const before = player.shown.frames;
    while (player.shown.frames < before + 2) {
        player.dirty = true;
        await new Promise(requestAnimationFrame);
    }
});

export async function seekTo(tab, time) {
    await tab.evaluate((to) => window.studio.player.seek(to), time);
    await shown(tab);
}

/** A slider or a choice is put somewhere, as a hand would; `isDone`: and let go. */
export const move = (tab, selector, value, isDone = true) => tab.evaluate(([which, to, done]) => {
    const input = document.querySelector(which);
    input.value = to;
    input.dispatchEvent(new Event("input"));
    if (done) {
        input.dispatchEvent(new Event("change"));
    }
}, [selector, value, isDone]);

export const press = (tab, words, within = "body") => tab.evaluate(([text, where]) => [...document.querySelector(where).querySelectorAll("button")].find((one) => one.textContent === text).click(), [words, within]);

/** A file that the page hands over, kept under a name of ours. */
export async function downloaded(tab, name, work) {
    const [download] = await Promise.all([tab.waitForEvent("download", { timeout: 240000 }), work()]);
    const path = join(folder, name);
    await download.saveAs(path);
    return path;
}

const pictures = process.env.SUPPLE_SHOTS;
/** A picture of the page, for people to look at; only where SUPPLE_SHOTS names a folder. */
export async function picture(tab, name) {
    if (pictures) {
        mkdirSync(pictures, { recursive: true });
        await tab.screenshot({ path: join(pictures, `${name}.png`) });
    }
}

/** Runs checks with a server and a browser, ends both, and says how it went. */
export async function run(words, work) {
    const server = await serve(...words);
    const browser = await chromium.launch({
        executablePath: process.env.SUPPLE_CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--js-flags=--expose-gc"],
        timeout: 60000,
    });
    try {
        await work(browser, server);
        check("no error in the console", errors.length === 0, errors.slice(0, 3).join("; "));
    } catch (error) {
        check(`the run: ${error.stack.slice(0, 1500)}`, false);
    } finally {
        await browser.close();
        server.end();
        rmSync(folder, { recursive: true, force: true });
    }
    console.log(failures.length === 0 ? "all good" : `${failures.length} failed`);
    process.exitCode = failures.length === 0 ? 0 : 1;
}
