#!/usr/bin/env node
// Babylon.js in Chromium with the JavaScript package: characters live as in the C library, drawn by the GPU.
import { openPage } from "./chromium_page.mjs";
import { expect, finish, makeCharacters, shareOff, truthOf } from "./live_files.mjs";

const { folder, names } = makeCharacters();
const { tab, close } = await openPage(folder, "live_babylon_page.mjs", "look");
try {
    for (const name of names) {
        const truth = truthOf(folder, name);
        const got = await tab.evaluate((call) => window.look(call), { url: `/files/${name}` });
        for (const way of ["joints", "vertices"]) {
            const share = shareOff(got[way], got.smooth, truth);
            expect(share < 0.02, `${name} by ${way}: ${(100 * share).toFixed(3)}% of the displacement off the C library's`);
        }
        // the fox hardly moves in its first clip
        const words = `${name} painted: ${got.ways} channels differ between the ways, ${got.flesh} from smooth skin`;
        expect((got.flesh > 100 || name === "Fox.glb") && got.ways < 20 + 0.01 * got.flesh, words);
    }
} finally {
    await close();
}
finish();
