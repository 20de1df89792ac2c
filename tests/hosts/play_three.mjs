#!/usr/bin/env node
// three.js, in Chromium, plays baked files: its skinned vertices stand where the living skin is.
import { bake, farthest, inputs, Judge, makeFolder, turningInput } from "./baked_files.mjs";
import { openPage } from "./chromium_page.mjs";

const folder = makeFolder();
const files = [];
for (const input of [...inputs(), turningInput()]) {
    files.push(bake(folder, input, "joints", "--as", "joints"), bake(folder, input, "cubic", "--as", "joints", "--keys", "cubic"));
    files.push(bake(folder, input, "morphs", "--as", "morphs"));
}

const judge = new Judge("three.js");
const { tab, close } = await openPage(folder, "three_page.mjs", "play");
try {
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
    await close();
}
judge.finish(4);
