// In the browser: what js_browser.mjs asks of the JavaScript package.
import * as supple from "/js/dist/index.js";

const bytesOf = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());
const readerOf = (url) => async (uri) => {
    const answer = await fetch(new URL(uri, new URL(url, location.href)));
    return answer.ok ? answer.arrayBuffer() : null;
};
const optionsOf = (url) => ({ name: url.split("/").pop(), readFile: readerOf(url) });

window.clipName = async (url, clip) => {
    const character = await supple.Character.fromGltf(await bytesOf(url), optionsOf(url));
    const name = typeof clip === "number" ? character.clips[clip].name : clip;
    character.dispose();
    return name;
};

window.bakeHash = async ({ url, clip, form, simd }) => {
    const module = await supple.loadSupple({ simd });
    const { bytes } = await supple.bake(await bytesOf(url), { ...optionsOf(url), clips: [clip], as: form, supple: module });
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return [...hash].map((one) => one.toString(16).padStart(2, "0")).join("");
};

window.bakeBeside = async (url, clip) => {
    let [frames, gap, last, going] = [0, 0, performance.now(), true];
    const start = last;
    const draw = (now) => {
        frames += 1;
        gap = Math.max(gap, now - last);
        last = now;
        if (going) {
            requestAnimationFrame(draw);
        }
    };
    requestAnimationFrame(draw);
    const { bytes } = await supple.bakeInWorker(await bytesOf(url), { clips: [clip] });
    going = false;
    return { frames, gap, seconds: (performance.now() - start) / 1000, bytes: bytes.length };
};

window.tryWrong = async (url) => {
    let words = "";
    try {
        await supple.Character.fromGltf(await bytesOf(url));
    } catch (error) {
        words = error.message;
    }
    const character = await supple.Character.fromGltf(await bytesOf("/assets/khronos_fox/glTF-Binary/Fox.glb"));
    return { words, clips: character.clips.length };
};

async function stage(url) {
    const module = await supple.loadSupple({});
    const character = await supple.Character.fromGltf(await bytesOf(url), { supple: module });
    const body = new supple.Body(new supple.Model(character, supple.proposeRig(character)));
    return { module, body, pose: new supple.Pose(character) };
}

window.tenThousand = async (url) => {
    const { module, body, pose } = await stage(url);
    body.step(pose.sample(0, 0), null, 0);
    body.skin();
    const before = module.memorySize;
    for (let i = 0; i < 10000; ++i) {
        body.step(pose.sample(0, (i / 60) % 1), null, 1 / 60);
        body.skin();
    }
    return module.memorySize - before;
};

// as tests/js/live_truth.c does it
window.frameMicroseconds = async (url) => {
    const { body, pose } = await stage(url);
    for (let i = 0; i < 200; ++i) {
        body.step(pose.sample(0, i / 64), null, 1 / 64);
        body.skin();
    }
    const start = performance.now();
    for (let i = 0; i < 1000; ++i) {
        body.step(pose.joints, null, 1 / 64);
        body.skin();
    }
    return performance.now() - start;
};

window.withoutSimd = async (url) => {
    const module = await supple.loadSupple();
    const character = await supple.Character.fromGltf(await bytesOf(url));
    return { simd: module.simd, hasSimd: supple.hasSimd(), clips: character.clips.length };
};

window.supple = supple;
