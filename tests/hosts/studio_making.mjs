#!/usr/bin/env node
// What hands make in the studio, in Chromium: pieces of flesh by joints and brush, curves, muscles, correctives,
// wrinkles, clothes, solo and copies, more motion, looks, exports of all forms, films; by keys alone too, and legible
// for all. SUPPLE_SHOTS=FOLDER keeps pictures of it.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { assets, check, downloaded, drop, farthest, folder, isOpen, move, openPage, picture, press, program, rigOf, rigText, run, seekTo, settled, shown, skin, until } from "./studio_page.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The middle of some vertices on the page: those that a test of a vertex says. */
const spot = (tab, which) => tab.evaluate((name) => {
    const { player, stage, tool } = window.studio, { positions } = player.skins.living ?? player.skins.smooth;
    let best = -1, front = -Infinity;
    for (let v = 0; v < positions.length / 3; ++v) {
        const at = Array.from(positions.subarray(3 * v, 3 * v + 3)), page = stage.onPage(at);
        const hit = name !== "painted" || tool.values[v] > 0.9;
        if (hit && v % 7 === 0) {
            const near = -stage.camera.position.distanceTo({ x: at[0], y: at[1], z: at[2] });
            [best, front] = near > front ? [page, near] : [best, front];
        }
    }
    return [best.x, best.y];
}, which);

const weightSum = (tab, item) => tab.evaluate((number) => window.studio.engine.call("weightsOf", { item: number }).then(({ weights }) => weights.reduce((a, b) => a + b, 0)), item);

async function stroke(tab, [x, y]) {
    await tab.mouse.move(x, y);
    await tab.mouse.down();
    await tab.mouse.move(x + 6, y + 10, { steps: 3 });
    await tab.mouse.up();
    await shown(tab);
}

async function checkPiece(tab) {
    await tab.click("#tab-make");
    await tab.click("#pickjoints");
    await shown(tab);
    const joint = await tab.evaluate(() => {
        const { tool, stage, session } = window.studio, { joints } = session.info;
        const at = tool.bones.numbers.findIndex((number) => joints[number].name === "thigh.L"), { x, y } = stage.onPage(tool.bones.places[at]);
        return [x, y];
    });
    await tab.mouse.click(...joint);
    await shown(tab);
    await picture(tab, "joints");
    check("a click on the skeleton chooses a joint", (await tab.textContent(".chip")).startsWith("thigh.L"));
    const before = (await rigOf(tab)).elements.length;
    await tab.click("#makepiece");
    await until(tab, (count) => window.studio.edits.elements.length === count + 1 && window.studio.tool?.values, before);
    await shown(tab);
    const item = before, whole = await weightSum(tab, item);
    check("a piece of flesh is made on it", whole > 1, `weights of ${whole.toFixed(1)} in all`);
    const first = await rigText(tab);
    await stroke(tab, await spot(tab, "painted"));
    const less = await weightSum(tab, item);
    await picture(tab, "brush");
    check("the brush takes flesh away", less < whole - 0.1, `${whole.toFixed(1)} to ${less.toFixed(1)}`);
    await tab.selectOption("#toolbar select", "add");
    await stroke(tab, await spot(tab, "painted"));
    const more = await weightSum(tab, item);
    check("and brings it back", more > less, `${less.toFixed(1)} to ${more.toFixed(1)}`);
    await tab.selectOption("#toolbar select", "smooth");
    const rough = await rigText(tab);
    await stroke(tab, await spot(tab, "painted"));
    check("and smooths it", (await rigText(tab)) !== rough);
    await tab.keyboard.press("Escape");
    for (let i = 0; i < 3; ++i) {
        await tab.keyboard.press("Control+z");
        await shown(tab);
    }
    check("paint is undone to the letter", (await rigText(tab)) === first && Math.abs((await weightSum(tab, item)) - whole) < 1e-9);
    const both = await tab.evaluate(() => window.studio.edits.mirror("elements", window.studio.edits.elements.length - 1).then(() => window.studio.edits.elements.slice(-2)));
    check("it is mirrored to the other side", both[1]?.driver === "thigh.R" && both[1].name === "flesh on thigh.R", both[1]?.name);
    const sides = [await weightSum(tab, item), await weightSum(tab, item + 1)];
    check("which carries as much", Math.abs(sides[0] - sides[1]) < 0.02 * sides[0], sides.map((one) => one.toFixed(2)).join(", "));
}

async function checkCurve(tab) {
    await tab.evaluate(() => window.studio.choose({ key: "elements", item: window.studio.edits.elements.findIndex(({ name }) => name === "thigh left") }));
    await tab.evaluate(() => document.querySelector("fieldset.chosen details").setAttribute("open", ""));
    await tab.evaluate(() => document.querySelector("fieldset.chosen .attenuation").scrollIntoView({ block: "center" }));
    const text = await rigText(tab), handle = tab.locator("fieldset.chosen .attenuation circle").nth(2);
    const box = await handle.boundingBox();
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await tab.mouse.down();
    await tab.mouse.move(box.x + box.width / 2 + 4, box.y + box.height / 2 + 22, { steps: 3 });
    await tab.mouse.up();
    await settled(tab, text);
    const { attenuation, attenuationKeys } = (await rigOf(tab)).elements.find(({ name }) => name === "thigh left");
    await picture(tab, "curve");
    check("a handle of the curve is dragged", attenuation === "hermite" && attenuationKeys[2][1] < 0.9, JSON.stringify(attenuationKeys));
    await tab.keyboard.press("Control+z");
    await until(tab, (wanted) => window.studio.session.text === wanted, text);
}

async function checkSolo(tab) {
    const text = await rigText(tab), amounts = async () => (await rigOf(tab)).elements.map(({ amount }) => amount ?? 1);
    const before = await amounts();
    await press(tab, "Solo", "fieldset.chosen");
    await shown(tab);
    const alone = await amounts(), own = await tab.evaluate(() => window.studio.chosen.item);
    check("solo leaves one piece moving", alone.every((amount, i) => (i === own ? amount === before[i] : amount === 0)));
    await press(tab, "Solo", "fieldset.chosen");
    await shown(tab);
    check("and all again, as they were", (await rigText(tab)) === text);
    await press(tab, "Copy", "fieldset.chosen");
    await tab.keyboard.press("n");
    await press(tab, "Paste", "fieldset.chosen");
    await shown(tab);
    const { elements } = await rigOf(tab), to = await tab.evaluate(() => window.studio.chosen.item);
    check("numbers are copied to another piece", elements[to].frequency === elements[own].frequency && elements[to].amount === elements[own].amount);
    await tab.keyboard.press("Control+z");
    await until(tab, (wanted) => window.studio.session.text === wanted, text);
}

async function checkMuscle(tab) {
    await tab.click("#tab-make");
    await tab.click("#placemuscle");
    await shown(tab);
    const places = await tab.evaluate(() => {
        const { player, stage, session } = window.studio, { joints } = session.info;
        const at = (name) => player.skins.joints.subarray(12 * joints.findIndex((joint) => joint.name === name) + 9).slice(0, 3);
        const [hip, knee] = [at("thigh.L"), at("shin.L")];
        return [0.25, 0.55, 0.85].map((share) => { const { x, y } = stage.onPage([0, 1, 2].map((k) => hip[k] + share * (knee[k] - hip[k]))); return [x, y]; });
    });
    for (const place of places) {
        await tab.mouse.click(...place);
        await shown(tab);
    }
    const count = () => tab.evaluate(() => window.studio.tool.points.length);
    await tab.keyboard.press("Control+z");
    const less = await count();
    await tab.keyboard.press("Control+Shift+z");
    check("points that are placed are undone one by one", less === 2 && (await count()) === 3);
    await press(tab, "Make it", "#toolbar");
    await until(tab, () => (window.studio.session.rig.ecorche ?? []).length === 1);
    await shown(tab);
    const { muscles } = await rigOf(tab);
    check("a muscle is placed by its points", muscles?.length === 1 && muscles[0].points.length === 3 && muscles[0].points.every(({ joint }) => joint === "thigh.L"), JSON.stringify(muscles));
    const solids = await tab.evaluate(() => window.studio.stage.layers.solids.geometry.attributes.position?.count ?? 0);
    check("and drawn by its layer", solids > 100, `${solids} corners`);
    await picture(tab, "muscle");
    const far = await tab.evaluate(() => {
        // each point of the drawn muscle beside the line of the leg
        const { stage, session } = window.studio;
        const { array } = stage.layers.solids.geometry.attributes.position;
        return Math.max(...Array.from(array.subarray(0, 300))) < 3 * session.info.size;
    });
    check("where the body is", far);
    const text = await rigText(tab);
    await tab.evaluate(() => window.studio.dragPoints("muscles", 0));
    await shown(tab);
    const point = await tab.evaluate(() => { const { tool, player, stage } = window.studio; const { x, y } = stage.onPage(tool.kind.now(tool.points[1], player.skins)); return [x, y]; });
    await tab.mouse.move(...point);
    await tab.mouse.down();
    await tab.mouse.move(point[0] + 8, point[1] + 4, { steps: 3 });
    await tab.mouse.up();
    await settled(tab, text);
    check("its points are dragged", JSON.stringify((await rigOf(tab)).muscles[0].points[1].at) !== JSON.stringify(muscles[0].points[1].at));
    await tab.keyboard.press("Escape");
}

/** Points of its line, and ellipsoids beside it, as numbers. */
async function checkMuscleNumbers(tab) {
    const muscle = async () => (await rigOf(tab)).muscles[0];
    const edit = async (work) => { const text = await rigText(tab); await work(); await settled(tab, text); await shown(tab); };
    await tab.evaluate(() => { window.studio.choose({ key: "muscles", item: 0 }); document.querySelectorAll("fieldset.chosen details").forEach((one) => { one.open = true; }); });
    await edit(() => move(tab, "fieldset.chosen .items details:nth-of-type(2) .vector input", 0.031));
    check("a point of its line is put by number", (await muscle()).points[1].at[0] === 0.031);
    await edit(() => press(tab, "Add a field", "fieldset.chosen"));
    const [field] = (await muscle()).fields;
    check("an ellipsoid is added beside it", field.joint === "thigh.L", JSON.stringify(field));
    await tab.evaluate(() => document.querySelectorAll("fieldset.chosen details").forEach((one) => { one.open = true; }));
    const { compiled, text } = await tab.evaluate(() => ({ compiled: window.studio.session.text.length, text: window.studio.session.text }));
    await move(tab, 'fieldset.chosen .items [data-field="reach"]', 3.5);
    await settled(tab, text);
    check("and its reach is changed", Math.abs((await muscle()).fields[0].reach - 3.5) < 0.3 && compiled > 0, `${(await muscle()).fields[0].reach}`);
    for (let i = 0; i < 3; ++i) {
        await tab.keyboard.press("Control+z");
        await shown(tab);
    }
    check("which is undone", (await muscle()).fields === undefined && (await muscle()).points[1].at[0] !== 0.031);
}

async function checkCorrective(tab) {
    await tab.click("#tab-make");
    await tab.click("#sculpt");
    await shown(tab);
    const before = await skin(tab);
    await stroke(tab, await spot(tab, "skin"));
    await until(tab, () => (window.studio.session.rig.examples ?? []).length === 1);
    await shown(tab);
    const moved = farthest(await skin(tab), before);
    await picture(tab, "corrective");
    check("a pose is sculpted", moved > 1e-4, `the skin of the pose moved by ${(1000 * moved).toFixed(1)} mm`);
    await tab.keyboard.press("Escape");
    await tab.keyboard.press("Control+z");
    await shown(tab);
    check("and that is undone", (await rigOf(tab)).examples === undefined && farthest(await skin(tab), before) < 1e-6);
}

async function checkWrinkles(tab) {
    await tab.click("#drawwrinkle");
    await shown(tab);
    const [x, y] = await spot(tab, "skin");
    await tab.mouse.click(x, y);
    await shown(tab);
    await tab.mouse.click(x + 18, y + 10);
    await shown(tab);
    await press(tab, "Make it", "#toolbar");
    await until(tab, () => (window.studio.session.rig.wrinkles ?? []).length === 1);
    await tab.selectOption("#over", "wrinkles");
    await shown(tab);
    check("wrinkles are made along a line", (await rigOf(tab)).wrinkles[0].points.length === 2);
    await tab.selectOption("#over", "");
}

async function checkClothes(tab) {
    await drop(tab, join(assets, "strangers/woman_clothes_unreal.glb"));
    await isOpen(tab, "woman_clothes_unreal.glb");
    await tab.click("#tab-make");
    const meshes = await tab.evaluate(() => [...new Set(window.studio.session.info.meshes.map(({ name }) => name))]);
    if (meshes.length < 2) {
        check("a garment: this stranger has none", true, meshes.join(", "));
        return;
    }
    await tab.click("#makecloth");
    await until(tab, () => (window.studio.session.rig.clothes ?? []).length === 1 || !document.querySelector("#error").hidden);
    check("a mesh is made a garment", ((await rigOf(tab)).clothes ?? []).length === 1, (await tab.textContent("#error")) || (await rigOf(tab)).clothes[0].mesh);
}

/** BVH that is dropped becomes clips; two clips are blended; the rig stays. */
async function checkMotion(tab) {
    await drop(tab, join(assets, "mh_human/mh_heavy.glb"));
    await isOpen(tab, "mh_heavy.glb");
    const text = await rigText(tab), before = await tab.evaluate(() => window.studio.session.clips.length);
    const name = readdirSync(join(assets, "bvh_cmu")).find((one) => /\.bvh$/.test(one));
    await drop(tab, join(assets, "bvh_cmu", name));
    await until(tab, (count) => window.studio.session.clips.length === count + 1, before);
    await shown(tab);
    check("motion that is dropped is one more clip", (await rigText(tab)) === text && /more clip, on \d+ joints/.test(await tab.textContent("#found")), await tab.textContent("#found"));
    await tab.keyboard.press("Control+z");
    await until(tab, (count) => window.studio.session.clips.length === count, before);
    await tab.keyboard.press("Control+Shift+z");
    await until(tab, (count) => window.studio.session.clips.length === count + 1, before);
    await shown(tab);
    check("which is undone, and done again", (await rigText(tab)) === text);
    const other = readFileSync(join(assets, "mh_human/mh_heavy_8inf.glb"));
    await tab.evaluate((bytes) => window.studio.opening.openFiles([new File([new Uint8Array(bytes)], "theirs.glb")], { allMotion: true }), [...other]);
    await until(tab, (count) => window.studio.session.clips.length === count + 2, before);
    check("the clips of a file that has a body are motion, too, where that is asked for", (await rigText(tab)) === text, await tab.textContent("#found"));
    await tab.keyboard.press("Control+z");
    await until(tab, (count) => window.studio.session.clips.length === count + 1, before);
    await shown(tab);
    await tab.selectOption("#clip", "0");
    await tab.selectOption("#mixclip", "1");
    const at = async (share) => {
        await move(tab, "#mixshare", share);
        await seekTo(tab, 0.3);
        return skin(tab);
    };
    const [none, half, whole] = [await at(0), await at(0.5), await at(1)];
    const ways = [farthest(none, half), farthest(half, whole), farthest(none, whole)];
    check("two clips are blended", ways[0] > 0.005 && ways[1] > 0.005, ways.map((way) => way.toFixed(3)).join(", "));
    await tab.selectOption("#mixclip", "-1");
    await shown(tab);
    return name;
}

async function checkLooks(tab) {
    for (const name of ["weights", "elements", "displacement", "springs", "bones"]) {
        await tab.selectOption("#over", name);
        await shown(tab);
        const seen = await tab.evaluate(() => {
            const { stage } = window.studio, { layers, marks, figures } = stage;
            return { over: !layers.isEmpty || !marks.isEmpty, painted: figures[0].parts[0].part.material.vertexColors && figures[0].parts[0].part.material !== figures[0].parts[0].material };
        });
        check(`${name} are drawn`, seen.over || seen.painted);
        await picture(tab, `look-${name}`);
    }
    await tab.selectOption("#over", "");
    for (const look of ["split", "both", "moved", "smooth", "living"]) {
        await tab.selectOption("#look", look);
        await shown(tab);
        await picture(tab, `look-${look}`);
    }
    await tab.selectOption("#look", "split");
    await tab.focus("#split");
    await tab.keyboard.press("ArrowLeft");
    check("the split is moved by a key", (await tab.getAttribute("#split", "aria-valuenow")) === "48");
    await tab.selectOption("#look", "living");
    await tab.click("#plotting");
    await until(tab, () => window.studio.looks.plot.series[0]?.every(Number.isFinite));
    const { peak, limit } = await tab.evaluate(() => { const { series, limits } = window.studio.looks.plot; return { peak: Math.max(...series[0]), limit: limits[0] }; });
    check("the plot has the whole clip and its limit", peak > 0 && peak <= 1.0001 * limit, `${(1000 * peak).toFixed(1)} of ${(1000 * limit).toFixed(1)} mm`);
    await picture(tab, "plot");
    await tab.click("#plotting");
}

/** Each form is the file that the program writes of the same rig. */
async function checkForms(tab, motion) {
    await tab.click("#tab-keep");
    await tab.selectOption("#clip", "0");
    await tab.click(".check input");
    const rig = join(folder, "mh_heavy.rig.json");
    writeFileSync(rig, await rigText(tab));
    for (const [form, ending] of [["morphs", "glb"], ["live", "glb"], ["pc2", "pc2"], ["mdd", "mdd"]]) {
        await tab.selectOption("#panel .choice select", form);
        const path = await downloaded(tab, `page.${ending}`, () => tab.click("#export2"));
        const words = (await tab.textContent("#command")).split(" ").slice(3);
        const native = join(folder, `native.${ending}`);
        const own = words.map((word) => (word === motion ? join(assets, "bvh_cmu", motion) : word === "mh_heavy.rig.json" ? rig : word)).slice(1);
        execFileSync(program, ["bake", join(assets, "mh_human/mh_heavy.glb"), native, ...own], { stdio: "pipe" });
        check(`exported as ${form} it is the program's, by the command that is shown`, readFileSync(path).equals(readFileSync(native)), `${words.join(" ")}`);
        await until(tab, () => !document.querySelector("#export").disabled);
    }
    check("and says how it went", /Exported .* MB/.test(await tab.textContent("#report")), await tab.textContent("#report"));
    await tab.selectOption("#panel .choice select", "joints");
    const png = readFileSync(await downloaded(tab, "page.png", () => tab.click("#picture")));
    check("a picture is kept", png.readUInt32BE(0) === 0x89504e47 && png.length > 10000);
}

/** The film plays in a player that is not ours, and is as long as the clip. */
async function checkFilm(tab, browser) {
    const bytes = readFileSync(await downloaded(tab, "page.webm", () => tab.click("#film")));
    const { start, end } = await tab.evaluate(() => window.studio.player.range);
    const other = await browser.newPage();
    const told = await other.evaluate(async (text) => {
        const video = document.createElement("video");
        video.src = `data:video/webm;base64,${text}`;
        await new Promise((done, failed) => { video.onloadeddata = done; video.onerror = () => failed(new Error(video.error.message)); });
        video.currentTime = video.duration / 2;
        await new Promise((done) => { video.onseeked = done; });
        return { seconds: video.duration, width: video.videoWidth, at: video.currentTime };
    }, bytes.toString("base64"));
    await other.close();
    check("a film plays elsewhere, as long as the clip", Math.abs(told.seconds - (end - start)) < 0.05 && told.width > 400 && Math.abs(told.at - told.seconds / 2) < 0.1,
        `${told.seconds.toFixed(2)} s, ${told.width} pixels wide, ${(bytes.length / 1e3).toFixed(0)} kB`);
}

/** Opens, raises the belly and exports without a pointer. */
async function checkKeysAlone(tab) {
    await tab.evaluate(() => document.activeElement.blur());
    const walk = async (selector, back = false) => {
        for (let i = 0; i < 120; ++i) {
            await tab.keyboard.press(back ? "Shift+Tab" : "Tab");
            if (await tab.evaluate((which) => document.activeElement.matches(which), selector)) {
                return;
            }
        }
        throw new Error(`no Tab leads to ${selector}`);
    };
    await walk("#builtin");
    await tab.keyboard.press("w");
    await isOpen(tab, "woman.glb");
    const text = await rigText(tab);
    await walk('[data-field="master belly"]');
    for (let i = 0; i < 5; ++i) {
        await tab.keyboard.press("ArrowRight");
    }
    await settled(tab, text);
    await shown(tab);
    check("a slider is moved by keys", (await rigText(tab)) !== text);
    check("and help stands where it is touched", /Times the amount/.test(await tab.textContent("#fieldhelp")), await tab.textContent("#fieldhelp"));
    const path = await downloaded(tab, "keys.glb", () => tab.keyboard.press("Control+e"));
    check("and exported by a key", readFileSync(path).readUInt32LE(0) === 0x46546c67);
    await tab.keyboard.press("?");
    check("the list of keys opens", await tab.isVisible("#keylist"));
    await picture(tab, "keys");
    await tab.keyboard.press("Escape");
}

/** What axe-core calls serious, in each state. */
async function checkLegible(tab, name) {
    const found = await tab.evaluate(async () => {
        const { violations, passes } = await window.axe.run(document);
        return passes.length < 10 ? ["axe-core looked at nothing"] : violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ html }) => html.slice(0, 90)).join(" | ")}`);
    });
    check(`axe-core finds nothing serious: ${name}`, found.length === 0, found.join("; "));
}

async function checkStates(browser, address) {
    for (const [size, words] of [[{ width: 1280, height: 720 }, "wide"], [{ width: 820, height: 1180 }, "tablet"]]) {
        const tab = await openPage(browser, address, { size, script: axe });
        await tab.evaluate(() => indexedDB.deleteDatabase("supple-studio"));
        await picture(tab, `${words}-welcome`);
        await checkLegible(tab, `${words}, welcome`);
        await tab.selectOption("#builtin", "woman.glb");
        await isOpen(tab, "woman.glb");
        await tab.click("#play");
        await shown(tab);
        for (const theme of ["light", "dark"]) {
            if ((await tab.evaluate(() => document.documentElement.dataset.theme)) !== theme) {
                await tab.click("#theme");
            }
            for (const name of ["tune", "make", "keep"]) {
                await tab.click(`#tab-${name}`);
                await shown(tab);
                await picture(tab, `${words}-${theme}-${name}`);
                await checkLegible(tab, `${words}, ${theme}, ${name}`);
            }
        }
        await tab.click("#tab-tune");
        await tab.evaluate(() => document.querySelectorAll("#panel details").forEach((one) => one.setAttribute("open", "")));
        await checkLegible(tab, `${words}, all unfolded`);
        await tab.click("#tour");
        for (let step = 1; step <= 8; ++step) {
            const inside = await tab.evaluate(() => {
                const { left, top, right, bottom } = document.querySelector("#tourcard").getBoundingClientRect();
                return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
            });
            check(`${words}: the tour's card ${step} is in the window`, inside);
            await picture(tab, `${words}-tour-${step}`);
            await tab.click("#tournext");
        }
        check(`${words}: the tour ends`, await tab.isHidden("#tourcard"));
        const reach = await tab.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
        check(`${words}: nothing sticks out`, Math.max(...reach) <= 0, reach.join(", "));
        await tab.context().close();
    }
}

await run([], async (browser, server) => {
    const tab = await openPage(browser, server.address);
    await tab.selectOption("#builtin", "woman.glb");
    await isOpen(tab, "woman.glb");
    await seekTo(tab, 0.2);
    await checkPiece(tab);
    await checkCurve(tab);
    await checkSolo(tab);
    await checkMuscle(tab);
    await checkMuscleNumbers(tab);
    await checkCorrective(tab);
    await checkWrinkles(tab);
    await checkClothes(tab);
    const motion = await checkMotion(tab);
    await checkLooks(tab);
    await checkForms(tab, motion);
    await checkFilm(tab, browser);
    await tab.click("#tab-tune");
    await checkKeysAlone(tab);
    await checkStates(browser, server.address);
});
