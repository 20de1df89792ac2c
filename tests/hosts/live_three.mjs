#!/usr/bin/env node
// three.js in Chromium with the JavaScript package: characters live as in the C library, drawn by the GPU.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "./baked_files.mjs";
import { openPage } from "./chromium_page.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const truth = join(dirname(process.env.SUPPLE_BIN), "tests/live_truth");
const assets = process.env.SUPPLE_ASSETS ?? join(here, "../../../shared/assets");
const folder = makeFolder();
execFileSync(process.env.SUPPLE_BIN, ["demo", "woman", folder], { stdio: "ignore" });
const names = ["woman.glb"];
for (const path of ["mh_human/mh_heavy.glb", "khronos_fox/glTF-Binary/Fox.glb"]) {
    if (existsSync(join(assets, path))) {
        names.push(path.split("/").pop());
        copyFileSync(join(assets, path), join(folder, names.at(-1)));
    }
}

function farthest(a, b) {
    let most = 0;
    for (let i = 0; i < a.length; i += 3) {
        most = Math.max(most, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
    }
    return most;
}

let failed = 0;
function expect(holds, words) {
    console.log(`${holds ? "ok" : "NOT OK"}: ${words}`);
    failed += holds ? 0 : 1;
}

const { tab, close } = await openPage(folder, "live_three_page.mjs", "last", ["--enable-precise-memory-info", "--js-flags=--expose-gc"]);
try {
    for (const name of names) {
        execFileSync(truth, [join(folder, name), join(folder, "truth")]);
        const floats = new Float32Array(new Uint8Array(readFileSync(join(folder, "truth"))).buffer);
        for (const way of ["joints", "vertices"]) {
            const got = await tab.evaluate((call) => window.place(call), { url: `/files/${name}`, way });
            const wanted = floats.subarray(0, got.living.length);
            const share = farthest(got.living, wanted) / farthest(got.smooth, wanted);
            expect(got.way === way && share < 0.02, `${name} by ${way}: ${(100 * share).toFixed(3)}% of the displacement off the C library's`);
        }
    }
    const drawn = await tab.evaluate((call) => window.draw(call), { url: `/files/${names.at(1) ?? names[0]}` });
    expect(drawn.flesh > 500 && drawn.ways < 0.25 * drawn.flesh, `drawn: ${drawn.ways} channels differ between the ways, ${drawn.flesh} from smooth skin`);
    const { joints, grown, median, mean } = await tab.evaluate((call) => window.last(call), { url: "/files/woman.glb", frames: 10000 });
    console.log(`20 women of ${joints} joints: living.update takes ${median.toFixed(3)} ms a frame (median), ${mean.toFixed(3)} (mean)`);
    expect(grown.module === 0 && grown.heap < 2e6, `10,000 frames: the module grew by ${grown.module} bytes, the page by ${grown.heap}`);
} finally {
    await close();
}
process.exit(failed === 0 ? 0 : 1);
