#!/usr/bin/env node
// three.js in Chromium with the JavaScript package: characters live as in the C library, drawn by the GPU.
import { openPage } from "./chromium_page.mjs";
import { expect, finish, makeCharacters, shareOff, truthOf } from "./live_files.mjs";

const { folder, names } = makeCharacters();
const { tab, close } = await openPage(folder, "live_three_page.mjs", "last", ["--enable-precise-memory-info", "--js-flags=--expose-gc"]);
try {
    for (const name of names) {
        const truth = truthOf(folder, name);
        for (const way of ["joints", "vertices"]) {
            const got = await tab.evaluate((call) => window.place(call), { url: `/files/${name}`, way });
            const share = shareOff(got.living, got.smooth, truth);
            expect(got.way === way && share < 0.02, `${name} by ${way}: ${(100 * share).toFixed(3)}% of the displacement off the C library's`);
        }
    }
    // The ways shade differently. With joints, flesh does not turn normals: that is all of it on the woman. And three.js
    // turns normals by the blended matrix itself, Supple by its cofactors: on the heavy man that is most of it.
    for (const name of names.slice(0, 2)) {
        for (const [look, limit] of [["painted", 0.01], ["lit by the bones' normals", 0.01], ["lit", 0.75]]) {
            const drawn = await tab.evaluate((call) => window.draw(call), { url: `/files/${name}`, look });
            const words = `${name} ${look}: ${drawn.ways} channels differ between the ways, ${drawn.flesh} from smooth skin`;
            expect(drawn.flesh > 100 && drawn.ways < limit * drawn.flesh, words);
        }
    }
    const { joints, grown, median, mean } = await tab.evaluate((call) => window.last(call), { url: "/files/woman.glb", frames: 10000 });
    console.log(`20 women of ${joints} joints: living.update takes ${median.toFixed(3)} ms a frame (median), ${mean.toFixed(3)} (mean)`);
    expect(grown.module === 0 && grown.heap < 2e6, `10,000 frames: the module grew by ${grown.module} bytes, the page by ${grown.heap}`);
} finally {
    await close();
}
finish();
