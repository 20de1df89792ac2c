#!/usr/bin/env node
// The studio in Chromium, served by `supple studio`: it opens characters, tunes them, undoes, exports what the program
// bakes, tells what is wrong with a file, and answers nobody else.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const assets = process.env.SUPPLE_ASSETS ?? join(root, "../shared/assets");
const program = process.env.SUPPLE_BIN ?? join(root, "build/release/supple");
if (!existsSync(assets)) {
    console.log("no test assets");
    process.exit(77);
}
if (!existsSync(join(root, "studio/dist/index.html"))) {
    execFileSync(join(root, "run"), ["studio", "--build"], { stdio: "inherit" });
}
const folder = mkdtempSync(join(tmpdir(), "supple-studio-"));
const failures = [];
const check = (name, good, told = "") => {
    console.log(`${good ? "ok  " : "FAIL"} ${name}${told === "" ? "" : `: ${told}`}`);
    if (!good) {
        failures.push(name);
    }
};

/** The program's server; gives its address and how it is ended. */
function serve(...words) {
    const child = spawn(program, ["studio", "--no-open", ...words], { stdio: ["ignore", "pipe", "inherit"] });
    return new Promise((done, failed) => {
        child.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
        child.stdout.on("data", (text) => done({ address: String(text).split("\n")[0], end: () => child.kill("SIGTERM") }));
    });
}

/** What the server says to a request as anybody could send it. */
function ask(url, path, { headers = {}, method = "GET" } = {}) {
    return new Promise((done, failed) => {
        const call = request({ host: "127.0.0.1", port: url.port, path, method, headers }, (answer) => {
            let size = 0;
            answer.on("data", (piece) => (size += piece.length));
            answer.on("end", () => done({ code: answer.statusCode, size }));
        });
        call.on("error", failed);
        call.end();
    });
}

async function checkServer({ address }) {
    const url = new URL(address);
    const [, token] = url.pathname.split("/");
    const own = (path) => `/${token}/${path}`;
    const codes = {
        "the page": [await ask(url, own("")), 200],
        "its own file": [await ask(url, own("file/Fox.glb")), 200],
        "no token": [await ask(url, "/index.html"), 403],
        "a wrong token": [await ask(url, `/${"0".repeat(32)}/index.html`), 403],
        "another origin": [await ask(url, own(""), { headers: { origin: "http://evil.example" } }), 403],
        "another site": [await ask(url, own(""), { headers: { "sec-fetch-site": "cross-site" } }), 403],
        "another host (rebinding)": [await ask(url, own(""), { headers: { host: `evil.example:${url.port}` } }), 403],
        "a way out": [await ask(url, own("file/../../../LICENSE")), 404],
        "a way out, escaped": [await ask(url, own("file/%2e%2e/%2e%2e/README.md")), 404],
        "a way out of the page": [await ask(url, own("../package.json")), 404],
        "what is not there": [await ask(url, own("nothing.js")), 404],
        writing: [await ask(url, own("file/Fox.glb"), { method: "PUT" }), 405],
    };
    for (const [name, [answer, wanted]] of Object.entries(codes)) {
        check(`server: ${name}`, answer.code === wanted && (wanted === 200 || answer.size === 0), `${answer.code}`);
    }
}

const launch = () => chromium.launch({
    executablePath: process.env.SUPPLE_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    timeout: 60000,
});

/** Waits until a function of the page says so. The page allows no eval, which Playwright's own waiting uses. */
async function until(tab, ready, argument) {
    const end = Date.now() + 60000;
    while (!(await tab.evaluate(ready, argument))) {
        if (Date.now() > end) {
            throw new Error(`waited in vain for ${ready} of ${argument}`);
        }
        await new Promise((done) => setTimeout(done, 30));
    }
}

const errors = [], asked = [];
async function openPage(browser, address, size = { width: 1280, height: 720 }) {
    const tab = await browser.newPage({ viewport: size, acceptDownloads: true });
    tab.on("pageerror", (error) => errors.push(String(error)));
    tab.on("console", (line) => line.type() === "error" && errors.push(line.text()));
    tab.context().on("request", (one) => asked.push(one.url().split("?")[0]));
    await tab.goto(address);
    await until(tab, () => window.studio !== undefined);
    return tab;
}

const isOpen = (tab, name) => until(tab, (wanted) => window.studio.session.name === wanted && window.studio.play.skins !== null && window.studio.play.shown !== undefined, name);
const drop = (tab, path) => tab.setInputFiles("#file", path);
/** Where the vertices are that are drawn now. */
const skin = (tab) => tab.evaluate(() => Array.from(window.studio.play.skins.living.positions));
const waitShown = (tab) => tab.evaluate(async () => {
    const before = window.studio.play.shown.frames;
    window.studio.play.dirty = true;
    while (window.studio.play.shown.frames < before + 2) {
        window.studio.play.dirty = true;
        await new Promise(requestAnimationFrame);
    }
});
const farthest = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
const move = (tab, selector, value, isDone = true) => tab.evaluate(([which, to, done]) => {
    const input = document.querySelector(which);
    input.value = to;
    input.dispatchEvent(new Event("input"));
    if (done) {
        input.dispatchEvent(new Event("change"));
    }
}, [selector, value, isDone]);
const rigText = (tab) => tab.evaluate(() => window.studio.session.text);
const settled = (tab, text) => until(tab, (before) => window.studio.session.text !== before, text);

async function seekTo(tab, time) {
    await tab.evaluate((to) => window.studio.seek(to), time);
    await waitShown(tab);
}

/** The simulation, driven by hand at 60 frames a second: a number changes, and where flesh is goes on from where it was. */
async function checkNoReset(tab) {
    const { away, jump, later } = await tab.evaluate(async () => {
        const { play, link, session } = window.studio;
        play.playing = play.dirty = false;
        const show = async (time, dt) => {
            const { living, smooth } = await link.call("show", { time, dt, playing: true, wants: { living: true, smooth: true } });
            return living.positions.map((value, k) => value - smooth.positions[k]);
        };
        const far = (a, b) => a.reduce((most, value, k) => Math.max(most, Math.abs(value - (b?.[k] ?? 0))), 0);
        const run = async (edited) => {
            await link.call("setClip", { clip: play.clip }); // led up to its start anew
            for (let frame = 0; frame < 30; ++frame) {
                await show(frame / 60, 1 / 60);
            }
            const before = await show(0.5, 1 / 60);
            if (edited) {
                await link.call("set", { key: "elements", item: 0, fields: { frequency: 1.7 * session.rig.elements[0].frequency } });
            }
            const after = await show(0.5, 0);
            for (let frame = 31; frame < 40; ++frame) {
                await show(frame / 60, 1 / 60);
            }
            return { before, after, later: await show(40 / 60, 1 / 60) };
        };
        const plain = await run(false), edited = await run(true);
        await link.call("set", { key: "elements", item: 0, fields: { frequency: session.rig.elements[0].frequency } });
        play.playing = true;
        return { away: far(edited.before), jump: far(edited.after, edited.before), later: far(edited.later, plain.later) };
    });
    const told = `flesh was ${(1000 * away).toFixed(1)} mm away, jumped by ${(1000 * jump).toFixed(3)} mm, and was ${(1000 * later).toFixed(1)} mm elsewhere 10 frames later`;
    check("a slider does not reset the motion, and changes it", away > 2e-3 && jump < 0.01 * away && later > 0.05 * away, told);
}

/** Opens, raises the belly, exports: three actions; the file is the program's of the same rig. */
async function checkMainPath(tab) {
    const man = join(assets, "mh_human/mh_heavy.glb");
    await drop(tab, man);
    await isOpen(tab, "mh_heavy.glb");
    const opened = await tab.evaluate(() => window.studio.session.opened);
    console.log(`from drop to moving, the heavy man: ${(opened / 1000).toFixed(2)} s`);
    check("what was found is said in a line", /human, \d+% sure, with flesh on .*belly/.test(await tab.textContent("#found")), await tab.textContent("#found"));
    const { text, frames } = await tab.evaluate(() => ({ text: window.studio.session.text, frames: window.studio.play.shown.frames }));
    await move(tab, '[data-field="master belly"]', 2.5);
    await settled(tab, text);
    check("a slider changes the rig", (await rigText(tab)) !== text);
    check("it goes on playing", (await tab.evaluate(() => window.studio.play.shown.frames)) > frames);
    const [download] = await Promise.all([tab.waitForEvent("download", { timeout: 240000 }), tab.click("#export")]);
    const out = join(folder, "page.glb");
    await download.saveAs(out);
    writeFileSync(join(folder, "mh_heavy.rig.json"), await rigText(tab));
    const command = await tab.textContent("#command");
    check("the command for copying", command === "supple bake mh_heavy.glb mh_heavy.living.glb --rig mh_heavy.rig.json", command);
    const native = join(folder, "native.glb");
    execFileSync(program, ["bake", man, native, "--rig", join(folder, "mh_heavy.rig.json")], { stdio: "pipe" });
    check("the exported file is the program's", readFileSync(out).equals(readFileSync(native)));
    return text;
}

async function checkUndo(tab, first) {
    await seekTo(tab, 0.4);
    const [changed, raised] = [await rigText(tab), await skin(tab)];
    await tab.keyboard.press("Control+z");
    await settled(tab, changed);
    await waitShown(tab);
    const plain = await skin(tab);
    check("undo brings the rig back, to the letter", (await rigText(tab)) === first);
    await tab.keyboard.press("Control+Shift+z");
    await settled(tab, first);
    await waitShown(tab);
    const [again, off] = [farthest(await skin(tab), raised), farthest(plain, raised)];
    check("redo brings the motion back, bit for bit", (await rigText(tab)) === changed && again === 0 && off > 1e-4, `undone by ${off.toFixed(4)} m`);
    const size = await tab.evaluate(() => window.studio.session.info.size);
    await seekTo(tab, 0.2);
    await seekTo(tab, 0.4);
    check("a time looks the same however it is reached", farthest(await skin(tab), raised) === 0);
    // played up to a time, and the same time stood at
    const played = await tab.evaluate(async () => {
        const { play } = window.studio;
        document.querySelector("#play").click();
        const begin = play.shown.frames;
        while (play.shown.frames < begin + 20) {
            await new Promise(requestAnimationFrame);
        }
        const shown = { time: play.shown.time, positions: Array.from(play.skins.living.positions) };
        document.querySelector("#play").click();
        return shown;
    });
    await seekTo(tab, played.time);
    const apart = farthest(await skin(tab), played.positions) / size;
    check("scrubbing shows what playing shows", apart < 0.01, `apart by ${(100 * apart).toFixed(3)}% of the size`);
}

async function checkWrong(tab) {
    const name = await tab.evaluate(() => window.studio.session.name);
    await drop(tab, join(assets, "negative/validator/glb/truncated_chunk_data.glb"));
    await until(tab, () => document.querySelector("#error").hidden === false);
    const words = await tab.textContent("#error");
    const { stderr } = spawnSync(program, ["inspect", join(assets, "negative/validator/glb/truncated_chunk_data.glb")]);
    check("a broken file gives the program's words", String(stderr).includes(words.replace(/^[^:]*: /, "")), words);
    const before = await tab.evaluate(() => window.studio.play.shown.frames);
    await waitShown(tab);
    check("and the page lives on", (await tab.evaluate(() => window.studio.session.name)) === name && (await tab.evaluate(() => window.studio.play.shown.frames)) > before);
    await tab.evaluate(() => window.studio.openFiles([new File(["x"], "notes.txt")]));
    check("a file of another kind too", /notes\.txt: a \.glb/.test(await tab.textContent("#error")));
}

async function checkOthers(tab) {
    const names = ["cat.glb", "mushroom.glb"];
    for (const name of names) {
        await tab.selectOption("#builtin", name);
        await isOpen(tab, name);
    }
    for (const name of ["khronos_fox/glTF-Binary/Fox.glb", ...["Husky", "Frog", "Whale", "Adventurer", "Spider", "woman_mixamo"].map((one) => `strangers/${one}.glb`)]) {
        await drop(tab, join(assets, name));
        await isOpen(tab, name.split("/").pop());
        const moves = await tab.evaluate(async () => {
            const { play, session } = window.studio;
            if (session.clips.length === 0) {
                document.querySelector("#jump").click();
            }
            const from = play.shown.frames, before = play.skins?.living.positions;
            while (play.shown.frames < from + 8) {
                await new Promise(requestAnimationFrame);
            }
            return before.reduce((most, value, i) => Math.max(most, Math.abs(value - play.skins.living.positions[i])), 0);
        });
        check(`${name} opens and moves`, moves > 0 && (await tab.isHidden("#error")), await tab.textContent("#found"));
    }
}

/** A click on the belly opens its numbers, and a reload brings back what was changed. */
async function checkHands(tab) {
    await tab.selectOption("#builtin", "woman.glb");
    await isOpen(tab, "woman.glb");
    await seekTo(tab, 0);
    const place = await tab.evaluate(() => {
        // the middle of the belly's piece, as the camera sees it
        const { stage, session, play } = window.studio;
        const { center } = session.proposal.elements.find(({ name }) => name === "belly");
        const { positions } = play.skins.living;
        let best = 0, least = Infinity;
        const { left, top, width, height } = document.querySelector("#canvas").getBoundingClientRect();
        for (let i = 0; i < positions.length; i += 3) {
            const far = Math.hypot(positions[i] - center[0], positions[i + 1] - center[1], positions[i + 2] - center[2]);
            [best, least] = far < least ? [i, far] : [best, least];
        }
        const point = stage.controls.target.clone().fromArray(positions, best).project(stage.camera);
        return [left + (point.x + 1) / 2 * width, top + (1 - point.y) / 2 * height];
    });
    await tab.mouse.click(...place);
    await until(tab, () => document.querySelector("fieldset.chosen") !== null);
    check("a click on the belly opens its numbers", (await tab.textContent("fieldset.chosen legend")) === "belly");
    const text = await rigText(tab);
    await move(tab, 'fieldset [data-field="frequency"][data-element="thigh left"]', 6);
    await settled(tab, text);
    const left = await rigText(tab);
    await tab.evaluate(() => [...document.querySelectorAll("fieldset")].find((one) => one.querySelector("legend").textContent === "thigh left").querySelector("button.small").click());
    await settled(tab, left);
    const thighs = await tab.evaluate(() => window.studio.session.rig.elements.filter(({ name }) => /^thigh/.test(name)).map(({ frequency }) => frequency));
    check("the other side gets the same numbers", thighs.length === 2 && thighs.every((one) => Math.abs(one - 6) < 0.05) && thighs[0] === thighs[1], thighs.join(", "));
    const kept = await rigText(tab);
    await tab.waitForTimeout(1000); // it is kept soon after, and once
    const again = new URL(tab.url());
    await tab.goto(again.origin + again.pathname);
    await until(tab, () => window.studio !== undefined);
    await isOpen(tab, "woman.glb");
    await until(tab, (wanted) => window.studio.session.text === wanted, kept);
    check("a reload brings the work back", true);
    await tab.keyboard.press("Control+z");
    await settled(tab, kept);
    check("and it can be undone to what was found", (await rigText(tab)) === text);
}

async function checkCorrections(tab) {
    const text = await rigText(tab);
    await tab.selectOption("#panel .choice select >> nth=2", "heavy");
    await settled(tab, text);
    check("a preset is chosen with a click", /--preset heavy$/.test(await tab.textContent("#command")), await tab.textContent("#command"));
    const heavy = await rigText(tab);
    const region = await tab.textContent(".region .toggle");
    await tab.click(".region .toggle input");
    await settled(tab, heavy);
    check("a region is left out with a click", new RegExp(`--without ${region}`, "i").test((await tab.textContent("#command")).replace(/([A-Z])/g, " $1").toLowerCase().replace(/ +/g, " ")) || /--without/.test(await tab.textContent("#command")), await tab.textContent("#command"));
    await tab.keyboard.press("Control+z");
    await tab.keyboard.press("Control+z");
    await until(tab, (wanted) => window.studio.session.text === wanted, text);
    check("both are undone", (await rigText(tab)) === text);
}

const server = await serve(join(assets, "khronos_fox/glTF-Binary/Fox.glb"));
const browser = await launch();
try {
    await checkServer(server);
    const tab = await openPage(browser, server.address);
    await isOpen(tab, "Fox.glb");
    check("the file of the command line is open", true);
    const base = server.address.split("?")[0];
    const own = asked.filter((name) => name.startsWith(base)).map((name) => name.slice(base.length)).filter((name) => !/^(characters|file)\/|^$/.test(name));
    check("the worker's module is among what is counted", own.some((name) => /\.wasm$/.test(name)), own.join(", "));
    const bytes = ["index.html", ...new Set(own)].map((name) => gzipSync(readFileSync(join(root, "studio/dist", name))).length).reduce((a, b) => a + b, 0);
    check("nothing comes from elsewhere", asked.every((name) => name.startsWith(base) || /^(blob|data):/.test(name)));
    check("first load", bytes < 2e6, `${(bytes / 1e3).toFixed(0)} kB packed`);
    const first = await checkMainPath(tab);
    await checkNoReset(tab);
    await checkUndo(tab, first);
    await checkWrong(tab);
    await checkOthers(tab);
    await checkCorrections(tab);
    await checkHands(tab);
    check("no error in the console", errors.length === 0, errors.slice(0, 3).join("; "));
} catch (error) {
    check(`the run: ${error.stack}`, false);
} finally {
    await browser.close();
    server.end();
    rmSync(folder, { recursive: true, force: true });
}
console.log(failures.length === 0 ? "all good" : `${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
