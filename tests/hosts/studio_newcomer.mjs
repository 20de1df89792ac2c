#!/usr/bin/env node
// What somebody meets who sees the studio for the first time, in Chromium: each control says what it is and what it does,
// nothing is cut off, the camera sees all of the motion, and files that are not like most others work as well.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assets, check, drop, folder, isOpen, move, openPage, picture, press, rigOf, rigText, run, seekTo, settled, shown, until } from "./studio_page.mjs";

/** Controls that have no label, no name or no help; help is what stands at the foot of the panel once they are touched. */
const unsaid = (tab) => tab.evaluate(() => {
    const isSeen = (one) => one.checkVisibility() && !one.disabled && !one.closest("details:not([open]) > :not(summary)");
    const open = document.querySelector("dialog[open]") ?? document;
    const all = [...open.querySelectorAll("button, input, select, textarea, [role=slider], canvas[tabindex]")].filter(isSeen);
    const nameOf = (one) => one.getAttribute("aria-label") || (one.labels?.length > 0 ? [...one.labels].map(({ textContent }) => textContent).join("") : one.textContent);
    const before = document.activeElement, found = [];
    for (const one of all) {
        one.focus({ preventScroll: true });
        const label = nameOf(one).trim(), help = document.querySelector("#fieldhelp").textContent;
        const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(one.tagName);
        const lacks = [...(label === "" ? ["label"] : []), ...(isField && !one.id && !one.name ? ["name"] : []), ...(help === "" || help === label ? ["help"] : [])];
        if (lacks.length > 0 || document.activeElement !== one) {
            found.push(`${one.outerHTML.slice(0, 110)} lacks ${lacks.join(", ")}`);
        }
        one.blur();
    }
    before?.focus?.();
    return { count: all.length, found };
});

/** Words and numbers that are wider than the place that they have. What people write may be longer. */
const cutOff = (tab) => tab.evaluate(() => {
    const pen = document.createElement("canvas").getContext("2d");
    const widthOf = (text, style) => { pen.font = style.font; return pen.measureText(text).width; };
    const roomOf = (one, style) => one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && one.clientWidth > 1).filter((one) => {
        const style = getComputedStyle(one);
        if (one.tagName === "SELECT") {
            return widthOf(one.selectedOptions[0]?.textContent ?? "", style) > roomOf(one, style) - 16; // the arrow
        }
        if (one.tagName === "INPUT") {
            return one.type === "number" && widthOf(one.value || one.placeholder, style) > roomOf(one, style) + 1;
        }
        return style.overflowX !== "visible" && style.overflowX !== "auto" && one.scrollWidth > one.clientWidth + 1
            || style.overflowY === "hidden" && one.scrollHeight > one.clientHeight + 2 && !/^(BODY|SECTION|HTML)$/.test(one.tagName);
    }).map((one) => `${one.tagName}#${one.id} "${(one.value ?? one.textContent).slice(0, 60)}"`);
});

async function checkState(tab, name) {
    const { count, found } = await unsaid(tab);
    check(`${name}: ${count} controls have their label, name and help`, count > 5 && found.length === 0, found.slice(0, 6).join("; "));
    const cut = await cutOff(tab);
    check(`${name}: no words are cut off`, cut.length === 0, cut.slice(0, 6).join("; "));
    await picture(tab, `newcomer-${name.replace(/\W+/g, "-")}`);
}

const unfold = (tab) => tab.evaluate(() => document.querySelectorAll("#panel details").forEach((one) => { one.open = true; }));

async function checkControls(browser, address) {
    for (const [size, words] of [[{ width: 1280, height: 720 }, "wide"], [{ width: 820, height: 1180 }, "tablet"]]) {
        const tab = await openPage(browser, address, { size });
        await checkState(tab, `${words}, welcome`);
        await drop(tab, join(assets, "strangers/heavywoman_unreal.glb"));
        await isOpen(tab, "heavywoman_unreal.glb");
        await tab.click("#play");
        await tab.selectOption("#look", "split");
        await tab.click("#plotting");
        await checkState(tab, `${words}, opened`);
        await tab.evaluate(() => window.studio.session.clips.length > 1 && document.querySelector("#mixclip").selectedIndex++);
        await tab.evaluate(() => document.querySelector("#mixclip").dispatchEvent(new Event("change")));
        await unfold(tab);
        await checkState(tab, `${words}, all unfolded`);
        await tab.evaluate(() => window.studio.edits.add("modes", { name: "m", element: "belly", motion: "turn" }));
        await tab.evaluate(() => window.studio.paint(0));
        await shown(tab);
        await tab.click("#tab-make");
        await checkState(tab, `${words}, make, with a brush`);
        await tab.click("#placemuscle");
        await tab.click("#tab-keep");
        await checkState(tab, `${words}, keep, with points`);
        await tab.keyboard.press("Escape");
        await tab.click("#keys");
        const { found } = await unsaid(tab);
        check(`${words}: the list of keys says how it is left`, found.length === 0, found.join("; "));
        await tab.context().close();
    }
}

/** The farthest that the skin leaves the picture between the bars, over the clip, as a share of the picture's height. */
const outside = (tab) => tab.evaluate(async () => {
    const { player, stage, session } = window.studio, { start, end } = player.range;
    const box = document.querySelector("#canvas").getBoundingClientRect();
    const low = document.querySelector("#viewbar").getBoundingClientRect().bottom, high = document.querySelector("#movebar").getBoundingClientRect().top;
    let most = -Infinity;
    for (let i = 0; i < 12; ++i) {
        player.seek(start + (end - start) * i / 12);
        while (player.dirty || player.asking) {
            await new Promise(requestAnimationFrame);
        }
        stage.draw(true);
        const { positions } = player.skins.living;
        for (let v = 0; v < positions.length; v += 33) {
            const { x, y } = stage.onPage([positions[v], positions[v + 1], positions[v + 2]]);
            most = Math.max(most, low - y, y - high, box.left - x, x - box.right);
        }
    }
    return { out: most / box.height, name: session.clips[player.clip].name };
});

async function checkCamera(tab) {
    for (const name of ["Snake_angry", "heavywoman_unreal", "Whale", "Trex"]) {
        await drop(tab, join(assets, `strangers/${name}.glb`));
        await isOpen(tab, `${name}.glb`);
        const { out, name: clip } = await outside(tab);
        check(`the camera sees all that ${name} does in "${clip}"`, out < 0.03, `${(100 * out).toFixed(1)}% of the height outside`);
    }
    await drop(tab, join(assets, "strangers/Snake_angry.glb"));
    await isOpen(tab, "Snake_angry.glb");
    await tab.selectOption("#clip", "0");
    await shown(tab);
    const { out } = await outside(tab);
    check("and another clip, too", out < 0.03, `${(100 * out).toFixed(1)}%`);
}

/** A number that is written leaves those beside it as they were, to the last digit; one that is emptied is the default. */
async function checkDigits(tab) {
    await tab.selectOption("#builtin", "woman.glb");
    await isOpen(tab, "woman.glb");
    await tab.evaluate(() => window.studio.edits.set("elements", 0, { facing: [0.1234567, 0.7654321, 0.5] }));
    await tab.evaluate(() => window.studio.choose({ key: "elements", item: 0 }));
    await unfold(tab);
    const text = await rigText(tab);
    await move(tab, 'fieldset.chosen input[aria-label="Facing X"]', 0.25);
    await settled(tab, text);
    const { facing } = (await rigOf(tab)).elements[0];
    check("numbers beside the one that is written keep their digits", facing[0] === 0.25 && Math.abs(facing[1] - 0.7654321) < 1e-7, JSON.stringify(facing));
    const written = await rigText(tab);
    await move(tab, 'fieldset.chosen input[aria-label="Facing X"]', "");
    await settled(tab, written);
    check("and one that is emptied takes all three back to the default", ((await rigOf(tab)).elements[0].facing ?? [0, 0, 0]).every((value) => value === 0));
    const help = await tab.evaluate(() => [...document.querySelectorAll("[data-words]")].map((one) => one.dataset.words).filter((words) => /[`^]/.test(words)));
    check("help is in words, with no marks of the manual's", help.length === 0, help.slice(0, 2).join(" | "));
}

/** A skin of a single joint and no motion, as a file: a tube. */
function oneJoint() {
    const rings = 12, around = 12, positions = [], joints = [], weights = [], indices = [];
    for (let i = 0; i < rings; ++i) {
        for (let k = 0; k < around; ++k) {
            const angle = 2 * Math.PI * k / around, radius = 0.1 + 0.2 * Math.sin(Math.PI * i / (rings - 1));
            positions.push(radius * Math.cos(angle), i / (rings - 1), radius * Math.sin(angle));
            joints.push(0, 0, 0, 0);
            weights.push(1, 0, 0, 0);
            if (i + 1 < rings) {
                const [a, b] = [i * around + k, i * around + (k + 1) % around];
                indices.push(a, a + around, b, b, a + around, b + around);
            }
        }
    }
    const parts = [Float32Array.from(positions), Uint16Array.from(joints), Float32Array.from(weights), Uint16Array.from(indices)];
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part.buffer)));
    const views = parts.map((part, i) => ({ buffer: 0, byteOffset: parts.slice(0, i).reduce((sum, { byteLength }) => sum + byteLength, 0), byteLength: part.byteLength }));
    const count = rings * around;
    return JSON.stringify({ asset: { version: "2.0" }, scenes: [{ nodes: [0, 1] }], nodes: [{ mesh: 0, skin: 0 }, { name: "only" }], skins: [{ joints: [1] }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0, JOINTS_0: 1, WEIGHTS_0: 2 }, indices: 3 }] }], bufferViews: views,
        buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
        accessors: [{ bufferView: 0, componentType: 5126, count, type: "VEC3", min: [-0.3, 0, -0.3], max: [0.3, 1, 0.3] },
            { bufferView: 1, componentType: 5123, count, type: "VEC4" }, { bufferView: 2, componentType: 5126, count, type: "VEC4" },
            { bufferView: 3, componentType: 5123, count: indices.length, type: "SCALAR" }] });
}

async function checkOneJoint(tab) {
    const path = join(folder, "tube.gltf");
    writeFileSync(path, oneJoint());
    await drop(tab, path);
    await isOpen(tab, "tube.gltf");
    const words = await tab.evaluate(() => [document.querySelector("#clock").textContent, document.querySelector("#clip").selectedOptions[0].textContent]);
    check("a file without motion says so where its time would stand", words.join(", ") === "no motion, none", words.join(", "));
    await tab.click("#tab-make");
    await tab.click("#placemuscle");
    await shown(tab);
    for (const height of [0.3, 0.7]) {
        const { x, y } = await tab.evaluate((at) => window.studio.stage.onPage([0, at, 0]), height);
        await tab.mouse.click(x, y);
        await shown(tab);
    }
    await press(tab, "Make it", "#toolbar");
    await until(tab, () => window.studio.session.rig.muscles?.length === 1 || !document.querySelector("#error").hidden);
    const { muscles } = await rigOf(tab);
    check("a muscle is placed on a body of one joint", muscles?.[0].points.length === 2 && muscles[0].points.every(({ joint }) => joint === "only"),
        await tab.textContent("#error"));
}

/** The button says what kind of file comes of it. */
async function checkButton(tab) {
    const bytes = [...readFileSync(join(assets, "strangers/woman_mixamo.glb"))];
    await tab.evaluate((list) => window.studio.opening.openFiles([new File([new Uint8Array(list)], "lady.vrm")]), bytes);
    await isOpen(tab, "lady.vrm");
    await tab.click("#tab-keep");
    const said = [await tab.textContent("#export"), await tab.textContent("#panel .choice select option")];
    await tab.selectOption("#panel .choice select", "pc2");
    said.push(await tab.textContent("#export"));
    await tab.selectOption("#panel .choice select", "joints");
    check("the button says what kind of file is exported", said.join("; ") === "Export VRM; VRM, helper joints; Export PC2", said.join("; "));
}

/** A machine, which has no flesh, cannot be exported, and the page says in its own words what to do. */
async function checkNoFlesh(tab) {
    await drop(tab, join(assets, "robotexpressive/RobotExpressive.glb"));
    await isOpen(tab, "RobotExpressive.glb");
    await tab.click("#export");
    await until(tab, () => !document.querySelector("#error").hidden);
    const words = await tab.textContent("#error");
    check("what has no flesh yet says where flesh is made", /under Make/.test(words) && !/--/.test(words), words);
    await drop(tab, join(assets, "strangers/Punk.glb"));
    await isOpen(tab, "Punk.glb");
    await tab.click("#export");
    await until(tab, () => !document.querySelector("#error").hidden);
    const still = await tab.textContent("#error");
    check("and what has no motion how it gets some", /Motion…/.test(still) && !/--/.test(still), still);
}

/** Hands that are too quick make one file, not three; broken files are named as those who dropped them know them. */
async function checkMistakes(tab) {
    await tab.selectOption("#builtin", "mushroom.glb");
    await isOpen(tab, "mushroom.glb");
    let files = 0;
    tab.on("download", () => { files += 1; });
    await tab.click("#tab-keep");
    await tab.evaluate(() => { // at once: a mushroom is soon baked
        document.querySelector("#export2").click();
        document.querySelector("#export2").click();
        window.studio.exports.run();
    });
    await until(tab, () => /Exported/.test(document.querySelector("#report").textContent) && !document.querySelector("#export").disabled);
    await tab.waitForTimeout(1500);
    check("three clicks are one export", files === 1, `${files} files`);
    const told = async (name, text) => {
        await tab.evaluate(([file, words]) => window.studio.opening.openFiles([new File([words], file)]), [name, text]);
        return tab.textContent("#error");
    };
    const bvh = await told("walk.bvh", "HIERARCHY\nROOT");
    check("a broken motion is called by its own name", bvh.startsWith("walk.bvh:2:"), bvh);
    const rig = await told("cut.rig.json", '{"elements":[');
    check("a broken rig says where it is broken", /rig/.test(rig) && /1/.test(rig), rig);
}

/** Motion that is dropped plays, and the list of clips says so. */
async function checkChosen(tab) {
    await drop(tab, join(assets, "mh_human/mh_heavy.glb"));
    await isOpen(tab, "mh_heavy.glb");
    await drop(tab, join(assets, "bvh_cmu/02_01.bvh"));
    await until(tab, () => window.studio.session.clips.some(({ name }) => name === "02_01"));
    await shown(tab);
    const said = await tab.evaluate(() => [window.studio.clip.name, document.querySelector("#clip").selectedOptions[0].textContent]);
    check("the clip that plays is the one that is named", said[0] === "02_01" && said[1] === "02_01", said.join(", "));
}

await run([], async (browser, server) => {
    await checkControls(browser, server.address);
    const tab = await openPage(browser, server.address);
    await checkCamera(tab);
    await checkDigits(tab);
    await checkOneJoint(tab);
    await checkButton(tab);
    await checkNoFlesh(tab);
    await checkMistakes(tab);
    await checkChosen(tab);
});
