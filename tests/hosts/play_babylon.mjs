#!/usr/bin/env node
// Babylon.js, without a screen, plays baked files of four and of eight influences: its skinned vertices stand where the living skin is.
import "@babylonjs/core/Animations/animatable.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Scene } from "@babylonjs/core/scene.js";
import "@babylonjs/loaders/glTF/2.0/index.js";
import { bake, editGlb, farthest, inputs, Judge, makeFolder, turningInput } from "./baked_files.mjs";

/// Without pictures, which nobody looks at here and Node cannot decode.
function withoutImages(gltf) {
    for (const kind of ["images", "textures", "samplers", "materials"]) {
        delete gltf[kind];
    }
    for (const mesh of gltf.meshes) {
        mesh.primitives.forEach((primitive) => delete primitive.material);
    }
}

async function load(path) {
    const scene = new Scene(engine);
    scene.useRightHandedSystem = true;
    const container = await LoadAssetContainerAsync(`data:base64,${editGlb(path, withoutImages).toString("base64")}`, scene, { pluginExtension: ".glb" });
    container.addAllToScene();
    const meshes = new Map();
    for (const mesh of container.meshes.filter((one) => one.getTotalVertices() > 0)) {
        for (const pointer of mesh._internalMetadata?.gltf?.pointers ?? []) {
            const match = /^\/meshes\/(\d+)\/primitives\/(\d+)$/.exec(pointer);
            if (match) {
                meshes.set(`${match[1]} ${match[2]}`, mesh);
            }
        }
    }
    // joints that a clip does not move stand as the file has them, not as the last clip left them
    container.animationGroups.forEach((group) => group.stop());
    const rest = container.transformNodes.map((node) => {
        const [position, rotation, scaling] = [node.position.clone(), node.rotationQuaternion?.clone(), node.scaling.clone()];
        return () => {
            node.position.copyFrom(position);
            node.scaling.copyFrom(scaling);
            if (rotation) {
                node.rotationQuaternion.copyFrom(rotation);
            }
        };
    });
    return { scene, container, meshes, rest };
}

function pose({ container, meshes }, group, time, file) {
    const out = new Float32Array(3 * file.total);
    const fps = group.targetedAnimations[0].animation.framePerSecond;
    group.goToFrame(time * fps);
    for (const node of [...container.transformNodes, ...container.meshes]) {
        node.computeWorldMatrix(true);
    }
    container.skeletons.forEach((skeleton) => skeleton.prepare(true));
    for (const draw of file.draws) {
        const mesh = meshes.get(`${draw.mesh} ${draw.primitive}`);
        const local = mesh.getPositionData(true, true);
        const world = mesh.computeWorldMatrix(true).asArray();
        for (let i = 0; i < draw.count; ++i) {
            const [x, y, z] = local.slice(3 * i, 3 * i + 3);
            for (let c = 0; c < 3; ++c) {
                out[3 * (draw.first + i) + c] = x * world[c] + y * world[4 + c] + z * world[8 + c] + world[12 + c];
            }
        }
    }
    return out;
}

const engine = new NullEngine();
const folder = makeFolder();
const judge = new Judge("Babylon.js");
for (const input of [...inputs(), turningInput()]) {
    for (const [label, ...options] of [
        ["four", "--as", "joints"],
        ["eight", "--as", "joints", "--influences", "8"],
        ["morphs", "--as", "morphs", "--no-normals"],
    ]) {
        const file = bake(folder, input, label, ...options);
        const loaded = await load(file.path);
        for (const clip of file.clips) {
            loaded.rest.forEach((reset) => reset());
            const group = loaded.container.animationGroups.find((one) => one.name === clip.name);
            group.start(false);
            group.pause();
            let worst = 0;
            let motion = 0;
            let before;
            for (const { time, positions } of clip.poses) {
                const got = pose(loaded, group, time, file);
                worst = Math.max(worst, farthest(got, positions));
                motion = before === undefined ? 0 : Math.max(motion, farthest(got, before));
                before = got;
            }
            group.stop();
            judge.clip(file, clip, worst, motion);
        }
        loaded.scene.dispose();
    }
}
engine.dispose();
judge.finish(4);
