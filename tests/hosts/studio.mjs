#!/usr/bin/env node
// The studio in Chromium, served by `supple studio`: it opens characters, tunes them, undoes, exports what the program
// bakes, tells what is wrong with a file, and answers nobody else. SUPPLE_SHOTS=FOLDER keeps pictures of it.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import validator from "gltf-validator";
import { asked, assets, check, downloaded, drop, farthest, folder, isOpen, move, openPage, program, rigText, root, run, seekTo, settled, shown, skin, until } from "./studio_page.mjs";

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

/** The simulation, driven by hand at 60 frames a second: a number changes, and where flesh is goes on from where it was. */
async function checkNoReset(tab) {
    const { away, jump, later } = await tab.evaluate(async () => {
        const { player, engine, session } = window.studio;
        player.playing = player.dirty = false;
        const show = async (time, dt) => {
            const { living, smooth } = await engine.call("show", { time, dt, playing: true, wants: { living: true, smooth: true } });
            return living.positions.map((value, k) => value - smooth.positions[k]);
        };
        const far = (a, b) => a.reduce((most, value, k) => Math.max(most, Math.abs(value - (b?.[k] ?? 0))), 0);
        const run = async (edited) => {
            await engine.call("setClip", { clip: player.clip }); // led up to its start anew
            for (let frame = 0; frame < 30; ++frame) {
                await show(frame / 60, 1 / 60);
            }
            const before = await show(0.5, 1 / 60);
            if (edited) {
                await engine.call("set", { key: "elements", item: 0, fields: { frequency: 1.7 * session.rig.elements[0].frequency } });
            }
            const after = await show(0.5, 0);
            for (let frame = 31; frame < 40; ++frame) {
                await show(frame / 60, 1 / 60);
            }
            return { before, after, later: await show(40 / 60, 1 / 60) };
        };
        const plain = await run(false), edited = await run(true);
        await engine.call("set", { key: "elements", item: 0, fields: { frequency: session.rig.elements[0].frequency } });
        player.playing = true;
        return { away: far(edited.before), jump: far(edited.after, edited.before), later: far(edited.later, plain.later) };
    });
    const told = `flesh was ${(1000 * away).toFixed(1)} mm away, jumped by ${(1000 * jump).toFixed(3)} mm, and was ${(1000 * later).toFixed(1)} mm elsewhere 10 frames later`;
    check("a slider does not reset the motion, and changes it", away > 2e-3 && jump < 0.01 * away && later > 0.05 * away, told);
}

/** The command line that the panel shows. */
async function commandOf(tab) {
    await tab.click("#tab-keep");
    const command = await tab.textContent("#command");
    await tab.click("#tab-tune");
    return command;
}

/** Opens, raises the belly, exports: three actions; the file is the program's of the same rig. */
async function checkMainPath(tab) {
    const man = join(assets, "mh_human/mh_heavy.glb");
    await drop(tab, man);
    await isOpen(tab, "mh_heavy.glb");
    const opened = await tab.evaluate(() => window.studio.session.opened);
    console.log(`from drop to moving, the heavy man: ${(opened / 1000).toFixed(2)} s`);
    check("what was found is said in a line", /human, \d+% sure, with flesh on .*belly/.test(await tab.textContent("#found")), await tab.textContent("#found"));
    const { text, frames } = await tab.evaluate(() => ({ text: window.studio.session.text, frames: window.studio.player.shown.frames }));
    await move(tab, '[data-field="master belly"]', 2.5);
    await settled(tab, text);
    check("a slider changes the rig", (await rigText(tab)) !== text);
    check("it goes on playing", (await tab.evaluate(() => window.studio.player.shown.frames)) > frames);
    const out = await downloaded(tab, "page.glb", () => tab.click("#export"));
    writeFileSync(join(folder, "mh_heavy.rig.json"), await rigText(tab));
    const command = await commandOf(tab);
    check("the command for copying", command === "supple bake mh_heavy.glb mh_heavy.living.glb --rig mh_heavy.rig.json", command);
    const native = join(folder, "native.glb");
    execFileSync(program, ["bake", man, native, "--rig", join(folder, "mh_heavy.rig.json")], { stdio: "pipe" });
    check("the exported file is the program's", readFileSync(out).equals(readFileSync(native)));
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(out)));
    check("the exported file is valid", issues.numErrors === 0, JSON.stringify(issues.messages.filter(({ severity }) => severity === 0).slice(0, 3)));
    return text;
}

async function checkUndo(tab, first) {
    await seekTo(tab, 0.4);
    const [changed, raised] = [await rigText(tab), await skin(tab)];
    await tab.keyboard.press("Control+z");
    await settled(tab, changed);
    await shown(tab);
    const plain = await skin(tab);
    check("undo brings the rig back, to the letter", (await rigText(tab)) === first);
    await tab.keyboard.press("Control+Shift+z");
    await settled(tab, first);
    await shown(tab);
    const [again, off] = [farthest(await skin(tab), raised), farthest(plain, raised)];
    check("redo brings the motion back, bit for bit", (await rigText(tab)) === changed && again === 0 && off > 1e-4, `undone by ${off.toFixed(4)} m`);
    const size = await tab.evaluate(() => window.studio.session.info.size);
    await seekTo(tab, 0.2);
    await seekTo(tab, 0.4);
    check("a time looks the same however it is reached", farthest(await skin(tab), raised) === 0);
    // played up to a time by hand, at 60 frames a second, and the same time stood at
    const played = await tab.evaluate(async () => {
        const { player, engine } = window.studio;
        player.playing = player.dirty = false;
        await engine.call("setClip", { clip: player.clip }); // led up to its start anew
        for (let frame = 0; frame < 29; ++frame) {
            await engine.call("show", { time: frame / 60, dt: 1 / 60, playing: true, wants: {} });
        }
        const { living } = await engine.call("show", { time: 29 / 60, dt: 1 / 60, playing: true, wants: { living: true } });
        return { time: 29 / 60, positions: Array.from(living.positions) };
    });
    await seekTo(tab, played.time);
    const apart = farthest(await skin(tab), played.positions) / size;
    check("scrubbing shows what playing shows", apart < 0.005, `apart by ${(100 * apart).toFixed(3)}% of the size`);
}

async function checkWrong(tab) {
    const name = await tab.evaluate(() => window.studio.session.name);
    await drop(tab, join(assets, "negative/validator/glb/truncated_chunk_data.glb"));
    await until(tab, () => document.querySelector("#error").hidden === false);
    const words = await tab.textContent("#error");
    const { stderr } = spawnSync(program, ["inspect", join(assets, "negative/validator/glb/truncated_chunk_data.glb")]);
    check("a broken file gives the program's words", String(stderr).includes(words.replace(/^[^:]*: /, "")), words);
    const before = await tab.evaluate(() => window.studio.player.shown.frames);
    await shown(tab);
    check("and the page lives on", (await tab.evaluate(() => window.studio.session.name)) === name && (await tab.evaluate(() => window.studio.player.shown.frames)) > before);
    await tab.evaluate(() => window.studio.opening.openFiles([new File(["x"], "notes.txt")]));
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
            const { player, session } = window.studio;
            if (session.clips.length === 0) {
                document.querySelector("#jump").click();
            }
            const from = player.shown.frames, before = player.skins?.living.positions;
            while (player.shown.frames < from + 8) {
                await new Promise(requestAnimationFrame);
            }
            return before.reduce((most, value, i) => Math.max(most, Math.abs(value - player.skins.living.positions[i])), 0);
        });
        check(`${name} opens and moves`, moves > 0 && (await tab.isHidden("#error")), await tab.textContent("#found"));
    }
}

/** Files as a browser hands them over when a folder is dropped. */
const dropFolder = (tab, files) => tab.evaluate((list) => window.studio.opening.openEntries(list.map(({ path, bytes }) => ({ path,
    file: new File([new Uint8Array(bytes)], path.split("/").pop()) }))), files.map(({ path, from }) => ({ path, bytes: from ? [...readFileSync(from)] : [0] })));

/** A folder: the document's own files, and none that are only called alike; a drop as the browser tells of it; advice. */
async function checkFolder(tab) {
    const fox = join(assets, "khronos_fox/glTF");
    await dropFolder(tab, [{ path: "all/other/Fox.bin" }, { path: "all/fox/Fox.gltf", from: join(fox, "Fox.gltf") }, { path: "all/fox/Fox.bin", from: join(fox, "Fox.bin") },
        { path: "all/fox/Texture.png", from: join(fox, "Texture.png") }, { path: "all/fox/notes.txt" }]);
    await isOpen(tab, "Fox.gltf");
    const maps = await tab.evaluate(() => window.studio.stage.figures[0].parts.filter(({ material }) => material.map).length);
    check("a folder opens with what the document names", maps === 1 && (await tab.isHidden("#error")));
    await tab.evaluate((bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], "dropped.glb"));
        document.querySelector("#view").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, [...readFileSync(join(assets, "strangers/Whale.glb"))]);
    await isOpen(tab, "dropped.glb");
    check("what is dropped is opened", await tab.isHidden("#error"));
    await dropFolder(tab, [{ path: "man.fbx" }]);
    check("a file of another program is told what to do with it", /man\.fbx: please open it in Blender/.test(await tab.textContent("#error")), await tab.textContent("#error"));
    await tab.click("#enderror");
    check("and the message can be taken away", await tab.isHidden("#error"));
}

/** What was opened is undone as everything else is, with the work that was done before. */
async function checkUndoneOpening(tab) {
    await tab.selectOption("#builtin", "cat.glb");
    await isOpen(tab, "cat.glb");
    const found = await rigText(tab);
    await move(tab, '[data-field^="master "]', 2);
    await settled(tab, found);
    await shown(tab);
    const worked = await rigText(tab);
    await drop(tab, join(assets, "strangers/Whale.glb"));
    await isOpen(tab, "Whale.glb");
    await tab.keyboard.press("Control+z");
    await isOpen(tab, "cat.glb");
    await shown(tab);
    check("opening another character is undone, and the work is there", (await rigText(tab)) === worked);
    await tab.keyboard.press("Control+Shift+z");
    await isOpen(tab, "Whale.glb");
    check("and done again", /^Whale\.glb: fish/.test(await tab.textContent("#found")), await tab.textContent("#found"));
    await tab.keyboard.press("Control+z");
    await isOpen(tab, "cat.glb");
    await tab.keyboard.press("Control+z");
    await until(tab, (wanted) => window.studio.session.text === wanted, found);
    check("and what came before it, too", true);
}

/** A place on the page where the body is. */
const onBody = (tab) => tab.evaluate(() => {
    const { stage } = window.studio, { x, y, width, height } = document.querySelector("#canvas").getBoundingClientRect();
    const places = Array.from({ length: 400 }, (_, i) => [x + width * (0.3 + 0.02 * (i % 20)), y + height * (0.3 + 0.02 * Math.floor(i / 20))]);
    return places.find((place) => stage.pick(...place));
});

/** Hands for which no key is held, as on a tablet. */
async function checkTouch(tab) {
    await seekTo(tab, 0);
    const place = await onBody(tab);
    await tab.click("#grab");
    await tab.mouse.move(...place);
    await tab.mouse.down();
    await tab.mouse.move(place[0] + 80, place[1] - 40, { steps: 4 });
    const pulled = await tab.evaluate(() => Math.hypot(...window.studio.player.motion.target));
    await tab.mouse.up();
    check("a hand takes hold of it and shakes it", pulled > 0 && (await tab.evaluate(() => Math.hypot(...window.studio.player.motion.target))) === 0, `by ${pulled.toFixed(2)} m`);
    await seekTo(tab, 0);
    await tab.click("#poke");
    await tab.evaluate(() => {
        const { engine } = window.studio, call = engine.call.bind(engine);
        engine.call = (name, data) => { window.wasPushed ||= name === "push"; return call(name, data); };
    });
    await tab.mouse.click(...(await onBody(tab)));
    await until(tab, () => window.wasPushed === true);
    check("and a finger pokes it", true);
    await tab.keyboard.press("Escape");
}

/** Draco: the picture stands where the file says. */
async function checkDracoLooks(tab) {
    await drop(tab, join(assets, "strangers/Enemy_Large-transformed.glb"));
    await isOpen(tab, "Enemy_Large-transformed.glb");
    const uv = await tab.evaluate(() => { const [{ part, material }] = window.studio.stage.figures[0].parts; return { map: material.map !== null, values: Array.from(part.geometry.attributes.uv?.array ?? []) }; });
    check("a mesh that is compressed with Draco has its looks", uv.map && uv.values.length > 0 && Math.max(...uv.values) - Math.min(...uv.values) > 0.1 && uv.values.every(Number.isFinite), `${uv.values.length / 2} texture coordinates`);
}

/** A click on the belly opens its numbers, and a reload brings back what was changed. */
async function checkHands(tab) {
    await tab.selectOption("#builtin", "woman.glb");
    await isOpen(tab, "woman.glb");
    await seekTo(tab, 0);
    const place = await tab.evaluate(() => {
        // the middle of the belly's piece, as the camera sees it
        const { stage, session, player } = window.studio;
        const { center } = session.proposal.elements.find(({ name }) => name === "belly");
        const { positions } = player.skins.living;
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
    await move(tab, 'fieldset [data-field="frequency"][data-item="thigh left"]', 6);
    await settled(tab, text);
    const left = await rigText(tab);
    await tab.evaluate(() => [...document.querySelectorAll("fieldset")].find((one) => one.querySelector("legend").textContent === "thigh left").querySelector("button.mirror").click());
    await settled(tab, left);
    const thighs = await tab.evaluate(() => window.studio.session.rig.elements.filter(({ name }) => /^thigh/.test(name)).map(({ frequency }) => frequency));
    check("the other side gets the same numbers", thighs.length === 2 && thighs.every((one) => Math.abs(one - 6) < 0.05) && thighs[0] === thighs[1], thighs.join(", "));
    const kept = await rigText(tab);
    await tab.selectOption("#look", "split");
    await seekTo(tab, 0.3);
    await tab.waitForTimeout(1000); // it is kept soon after, and once
    const again = new URL(tab.url());
    await tab.goto(again.origin + again.pathname);
    await until(tab, () => window.studio !== undefined);
    await isOpen(tab, "woman.glb");
    await until(tab, (wanted) => window.studio.session.text === wanted, kept);
    check("a reload brings the work back", true);
    await until(tab, () => Math.abs(window.studio.player.time - 0.3) < 1e-6 && window.studio.looks.look === "split");
    check("and how it was looked at", true);
    await tab.selectOption("#look", "living");
    await tab.keyboard.press("Control+z");
    await settled(tab, kept);
    check("and it can be undone to what was found", (await rigText(tab)) === text);
}

async function checkCorrections(tab) {
    const text = await rigText(tab);
    await tab.selectOption('#panel .choice:has-text("Preset") select', "heavy");
    await settled(tab, text);
    check("a preset is chosen with a click", /--preset heavy$/.test(await commandOf(tab)), await commandOf(tab));
    const heavy = await rigText(tab);
    await tab.click(".region .toggle input");
    await settled(tab, heavy);
    check("a region is left out with a click", /--without \S+/.test(await commandOf(tab)), await commandOf(tab));
    await tab.keyboard.press("Control+z");
    await tab.keyboard.press("Control+z");
    await until(tab, (wanted) => window.studio.session.text === wanted, text);
    check("both are undone", (await rigText(tab)) === text);
    await tab.evaluate(() => window.studio.stage.camera.position.set(100, 1, 0));
    await tab.click("text=Facing me");
    await until(tab, () => window.studio.session.options.front !== undefined);
    check("its front is where one looks from", (await tab.evaluate(() => window.studio.session.options.front)) === "+X");
    await tab.keyboard.press("Control+z");
    await until(tab, (wanted) => window.studio.session.text === wanted, text);
}

/** What asks for more than its share is refused, or drawn without what asks for it, and the page goes on. */
async function checkHostile(tab) {
    const { name, memory } = await tab.evaluate(async () => ({ name: window.studio.session.name, memory: window.studio.session.info.memory }));
    const hostile = {
        "two thousand million numbers": { accessors: [{ componentType: 5126, type: "VEC3", count: 2e9 }], meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }], nodes: [{ mesh: 0 }] },
        "a hundred million vertices": { accessors: Array.from({ length: 20 }, () => ({ componentType: 5126, type: "MAT4", count: 1e8 })), meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }], nodes: [{ mesh: 0 }] },
        "a chain of fifty thousand nodes": { nodes: Array.from({ length: 50000 }, (_, i) => ({ children: i < 49999 ? [i + 1] : undefined })), scenes: [{ nodes: [0] }] },
        "a view of terabytes": { extensionsUsed: ["EXT_meshopt_compression"], buffers: [{ byteLength: 4, uri: "data:application/octet-stream;base64,AAAAAA==" }],
            bufferViews: [{ buffer: 0, byteLength: 4, extensions: { EXT_meshopt_compression: { buffer: 0, byteLength: 4, byteStride: 256, count: 4e9, mode: "ATTRIBUTES" } } }],
            accessors: [{ bufferView: 0, componentType: 5126, type: "VEC3", count: 3 }, { bufferView: 0, componentType: 5126, type: "VEC2", count: 3 }], meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 } }] }], nodes: [{ mesh: 0 }] },
        "nodes in a ring": { nodes: [{ children: [1] }, { children: [0] }], scenes: [{ nodes: [0] }] },
    };
    for (const [words, json] of Object.entries(hostile)) {
        const path = join(folder, `${words}.gltf`);
        writeFileSync(path, JSON.stringify({ asset: { version: "2.0" }, ...json }));
        await drop(tab, path);
        await until(tab, (file) => document.querySelector("#error").textContent.includes(file), words);
        console.log(`     ${await tab.textContent("#error")}`);
        await shown(tab);
        check(`a hostile file, ${words}: refused, and the page lives on`, (await tab.evaluate(() => window.studio.session.name)) === name);
    }
    const grown = (await tab.evaluate(() => window.studio.engine.call("weightsOf", { item: 0 }).then(() => performance.memory.usedJSHeapSize))) / 1e6;
    check("and it took no memory of the page", grown < 500, `${grown.toFixed(0)} MB; the simulation has ${(memory / 1e6).toFixed(0)} MB`);
    await checkPictureBomb(tab);
}

/** A picture of a gigapixel in a file that is otherwise good: the character is there, without it. */
async function checkPictureBomb(tab) {
    const png = Buffer.alloc(64);
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(png);
    png.writeUInt32BE(32768, 16);
    png.writeUInt32BE(32768, 20);
    const glb = readFileSync(join(assets, "khronos_fox/glTF-Binary/Fox.glb"));
    const length = glb.readUInt32LE(12), json = JSON.parse(glb.subarray(20, 20 + length).toString());
    const binary = glb.subarray(28 + length);
    json.images = [{ uri: `data:image/png;base64,${png.toString("base64")}` }];
    json.buffers[0].uri = `data:application/octet-stream;base64,${binary.toString("base64")}`;
    const path = join(folder, "bomb.gltf");
    writeFileSync(path, JSON.stringify(json));
    await drop(tab, path);
    await isOpen(tab, "bomb.gltf");
    const maps = await tab.evaluate(() => window.studio.stage.figures[0].parts.filter(({ material }) => material.map).length);
    check("a picture of a gigapixel is left out", maps === 0 && (await tab.isHidden("#error")));
}

/** A hundred characters one after the other: neither the simulation, nor the page, nor the graphics take more and more. */
async function checkLoads(tab) {
    const path = join(root, "studio/dist/characters/mushroom.glb");
    const bytes = [...readFileSync(path)];
    const used = await tab.evaluate(async (list) => {
        const { opening, engine, stage, player } = window.studio, data = new Uint8Array(list);
        const told = [];
        for (let i = 0; i < 100; ++i) {
            await opening.openFiles([new File([data], "mushroom.glb")]);
            while (player.skins === null) {
                await new Promise(requestAnimationFrame);
            }
            if (i === 19 || i === 99) {
                window.gc();
                const { memory } = await engine.call("edited");
                told.push({ module: memory, page: performance.memory.usedJSHeapSize, ...stage.renderer.info.memory });
            }
        }
        return told;
    }, bytes);
    const [early, late] = used;
    const words = `module ${early.module / 1e6} and ${late.module / 1e6} MB, page ${(early.page / 1e6).toFixed(1)} and ${(late.page / 1e6).toFixed(1)} MB, geometries ${early.geometries} and ${late.geometries}, textures ${early.textures} and ${late.textures}`;
    check("a hundred loads do not grow", late.module === early.module && late.page < early.page + 5e6 && late.geometries <= early.geometries && late.textures <= early.textures, words);
}

await run([join(assets, "khronos_fox/glTF-Binary/Fox.glb")], async (browser, server) => {
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
    await checkFolder(tab);
    await checkUndoneOpening(tab);
    await checkTouch(tab);
    await checkDracoLooks(tab);
    await checkHostile(tab);
    await checkLoads(tab);
});
