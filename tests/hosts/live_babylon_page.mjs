// In the browser: living characters in Babylon.js, as positions and as pictures.
import "@babylonjs/core/Animations/animatable.js";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera.js";
import { Engine } from "@babylonjs/core/Engines/engine.js";
import "@babylonjs/core/Engines/Extensions/engine.readTexture.js";
import { LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial.js";
import { Color3 } from "@babylonjs/core/Maths/math.color.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Scene } from "@babylonjs/core/scene.js";
import "@babylonjs/loaders/glTF/2.0/index.js";
import { enliven } from "supple/babylon";

const size = 512;
const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
document.body.append(canvas);
const engine = new Engine(canvas, false, { preserveDrawingBuffer: true });

async function load(url) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const scene = new Scene(engine);
    scene.useRightHandedSystem = true;
    const container = await LoadAssetContainerAsync(bytes, scene, { pluginExtension: ".glb" });
    container.addAllToScene();
    container.animationGroups.forEach((group) => group.stop());
    return { scene, container, bytes };
}

/// 90 frames of the first clip along the way of the C library's truth; without flesh the last pose alone.
function walk(root, group, living) {
    group.start(false);
    group.pause();
    for (let frame = 0; frame < 90; ++frame) {
        group.goToFrame(Math.min((frame / 64) * group.targetedAnimations[0].animation.framePerSecond, group.to));
        root.position.set(frame / 64, 0, (frame % 8) / 32);
        living?.update(1 / 64);
    }
}

function positions(living) {
    const out = new Float32Array(3 * living.model.character.vertexCount);
    const v = new Vector3();
    living.root.computeWorldMatrix(true);
    living.root.getChildTransformNodes(false).forEach((node) => node.computeWorldMatrix(true));
    const back = living.root.getWorldMatrix().clone().invert();
    living.meshes.forEach((mesh, number) => {
        mesh.skeleton?.prepare(true);
        const { firstVertex, vertexCount } = living.model.character.meshes[number];
        const local = mesh.getPositionData(true, true);
        const to = mesh.computeWorldMatrix(true).multiply(back);
        for (let i = 0; i < vertexCount; ++i) {
            Vector3.TransformCoordinatesFromFloatsToRef(local[3 * i], local[3 * i + 1], local[3 * i + 2], to, v);
            v.toArray(out, 3 * (firstVertex + i));
        }
    });
    return Array.from(out);
}

/// One camera for all pictures of a character: around its smooth skin in the pose that is drawn.
function frameOf(root) {
    for (const mesh of root.getChildMeshes()) {
        mesh.skeleton?.prepare(true);
        mesh.refreshBoundingInfo({ applySkeleton: true, applyMorph: true });
    }
    const { min, max } = root.getHierarchyBoundingVectors(true);
    return { middle: min.add(max).scale(0.5), far: max.subtract(min).length() };
}

async function picture(scene, { middle, far }) {
    const camera = new FreeCamera("camera", middle.add(new Vector3(0.6 * far, 0.2 * far, 1.1 * far)), scene);
    camera.setTarget(middle);
    camera.minZ = 0.01 * far;
    camera.maxZ = 10 * far;
    await scene.whenReadyAsync();
    scene.render();
    scene.render();
    return new Uint8Array((await engine.readPixels(0, 0, size, size)).buffer.slice(0));
}

/// Waves of colour over the skin at rest that need no light: positions alone are seen, and a small shift shows.
function paint(meshes, scene) {
    const material = new StandardMaterial("paint", scene);
    material.disableLighting = true;
    material.emissiveColor = new Color3(1, 1, 1);
    material.backFaceCulling = false;
    for (const mesh of meshes.filter((one) => one.getTotalVertices() > 0)) {
        const positions = mesh.getVerticesData("position");
        const { minimum, maximum } = mesh.getBoundingInfo();
        const scale = 150 / maximum.subtract(minimum).length();
        const colors = new Float32Array((positions.length / 3) * 4).fill(1);
        for (let i = 0; i < positions.length; ++i) {
            colors[4 * Math.floor(i / 3) + (i % 3)] = 0.5 + 0.5 * Math.sin(scale * positions[i]);
        }
        mesh.setVerticesData("color", colors, false, 4);
        mesh.material = material;
        mesh.alwaysSelectAsActiveMesh = true;
    }
}

window.look = async ({ url }) => {
    const all = {};
    const pictures = {};
    let frame = null;
    for (const way of ["smooth", "joints", "vertices"]) {
        const { scene, container, bytes } = await load(url);
        paint(container.meshes, scene);
        const living = way === "smooth" ? null : await enliven(container, { from: bytes, way });
        const root = container.meshes[0];
        walk(root, container.animationGroups[0], living);
        if (living) {
            all[way] = positions(living);
            all.smooth = Array.from(living.body.smoothSkin({ normals: false }).positions);
        }
        root.position.set(0, 0, 0);
        frame ??= frameOf(root);
        pictures[way] = await picture(scene, frame);
        living?.dispose();
        scene.dispose();
    }
    const differing = (a, b) => a.reduce((count, value, i) => count + (Math.abs(value - b[i]) > 24 ? 1 : 0), 0);
    return { ...all, ways: differing(pictures.joints, pictures.vertices), flesh: differing(pictures.joints, pictures.smooth) };
};
