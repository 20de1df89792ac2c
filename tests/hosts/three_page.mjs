// In the browser: plays a clip of a file and gives the vertices' world positions, as three.js itself morphs and skins them.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const loaded = new Map();

async function load(url) {
    if (!loaded.has(url)) {
        const gltf = await new GLTFLoader().loadAsync(url);
        const meshes = new Map();
        gltf.scene.traverse((object) => {
            if (object.isMesh) {
                // of several primitives each is a child of the node's group
                const own = gltf.parser.associations.get(object);
                const node = own.nodes ?? gltf.parser.associations.get(object.parent).nodes;
                meshes.set(`${node} ${own.primitives ?? 0}`, object);
            }
        });
        loaded.set(url, { gltf, meshes, mixer: new THREE.AnimationMixer(gltf.scene) });
    }
    return loaded.get(url);
}

function toBase64(floats) {
    const bytes = new Uint8Array(floats.buffer);
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) {
        text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    }
    return btoa(text);
}

window.play = async ({ url, clip, times, draws, total }) => {
    const { gltf, meshes, mixer } = await load(url);
    mixer.stopAllAction();
    const action = mixer.clipAction(gltf.animations.find((one) => one.name === clip));
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const v = new THREE.Vector3();
    return times.map((time) => {
        action.time = time;
        action.paused = false;
        mixer.update(0);
        gltf.scene.updateMatrixWorld(true);
        const out = new Float32Array(3 * total);
        for (const draw of draws) {
            const mesh = meshes.get(`${draw.node} ${draw.primitive}`);
            mesh.skeleton?.update();
            for (let i = 0; i < draw.count; ++i) {
                mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld);
                v.toArray(out, 3 * (draw.first + i));
            }
        }
        return toBase64(out);
    });
};
