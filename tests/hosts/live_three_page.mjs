// In the browser: living characters in three.js, as positions, as pictures, and over many frames.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import { enliven } from "supple/three";

const load = (url) => new GLTFLoader().loadAsync(url);

function player(gltf, root) {
    const mixer = new THREE.AnimationMixer(root);
    const action = mixer.clipAction(gltf.animations[0]);
    action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
    action.play();
    return (time) => {
        action.time = time;
        action.paused = false;
        mixer.update(0);
    };
}

/// What tests/js/live_truth.c does: the root is set back every eighth frame.
const wraps = (frame) => [frame / 64, 0, (frame % 8) / 32];
/// Nothing is set back, so the flesh feels all of it.
const sways = (frame) => [frame / 64, 0, 0.1 * Math.sin(0.2 * frame)];

function walk(living, play, path) {
    for (let frame = 0; frame < 90; ++frame) {
        play(frame / 64);
        living.root.position.set(...path(frame));
        living.update(1 / 64);
    }
}

function positions(living) {
    const out = new Float32Array(3 * living.model.character.vertexCount);
    const v = new THREE.Vector3();
    living.root.updateMatrixWorld(true);
    const back = living.root.matrixWorld.clone().invert();
    living.meshes.forEach((mesh, number) => {
        const { firstVertex, vertexCount } = living.model.character.meshes[number];
        mesh.skeleton?.update();
        for (let i = 0; i < vertexCount; ++i) {
            mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld).applyMatrix4(back).toArray(out, 3 * (firstVertex + i));
        }
    });
    return Array.from(out);
}

/// After the walk: where every vertex is, and where the smooth skin is.
window.place = async ({ url, way }) => {
    const gltf = await load(url);
    const living = await enliven(gltf, { way });
    walk(living, player(gltf, gltf.scene), wraps);
    const all = { way: living.way, living: positions(living), smooth: Array.from(living.body.smoothSkin({ normals: false }).positions) };
    living.dispose();
    return all;
};

const size = 512;
const renderer = new THREE.WebGLRenderer();
renderer.setSize(size, size);
renderer.shadowMap.enabled = true;

/// One camera for all pictures of a character: around its smooth skin in the pose that is drawn.
function frameOf(root) {
    const box = new THREE.Box3().setFromObject(root, true);
    return { middle: box.getCenter(new THREE.Vector3()), far: box.getSize(new THREE.Vector3()).length() };
}

/// Light, and a ground that takes shadows.
function addLight(scene, root, { middle, far }) {
    const light = new THREE.DirectionalLight(0xffffff, 3);
    light.position.copy(middle).add(new THREE.Vector3(far, far, far));
    light.target = root;
    light.castShadow = true;
    Object.assign(light.shadow.camera, { left: -far, right: far, top: far, bottom: -far, near: 0.01 * far, far: 5 * far });
    light.shadow.bias = -0.01;
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(9 * far, 9 * far).rotateX(-Math.PI / 2), new THREE.MeshStandardMaterial());
    ground.receiveShadow = true;
    scene.add(light, new THREE.HemisphereLight(0xffffff, 0x404040), ground);
    return () => {
        ground.geometry.dispose();
        ground.material.dispose();
        light.dispose();
    };
}

function pixelsOf(root, frame, isLit) {
    const { middle, far } = frame;
    const scene = new THREE.Scene();
    scene.add(root);
    const removeLight = isLit ? addLight(scene, root, frame) : () => {};
    const camera = new THREE.PerspectiveCamera(35, 1, 0.01 * far, 10 * far);
    camera.position.copy(middle).add(new THREE.Vector3(0.6 * far, 0.2 * far, 1.1 * far));
    camera.lookAt(middle);
    renderer.render(scene, camera);
    const pixels = new Uint8Array(4 * size * size);
    renderer.getContext().readPixels(0, 0, size, size, renderer.getContext().RGBA, renderer.getContext().UNSIGNED_BYTE, pixels);
    removeLight();
    return pixels;
}

/// The same moment drawn by the GPU: smooth, with helper joints, and with vertices of the module. Looks: "painted" is
/// colours that stick to the skin and need no normals, so that positions alone are seen; "lit" has light and shadows;
/// "lit by the bones' normals" is the same with the normals of the helper joints put onto the vertices of the module.
window.draw = async ({ url, look }) => {
    const gltf = await load(url);
    const root = gltf.scene;
    root.traverse((object) => {
        object.castShadow = object.isMesh === true;
        object.frustumCulled = false;
        if (object.isMesh && look === "painted") {
            paint(object.geometry);
            object.material = new THREE.MeshBasicMaterial({ vertexColors: true, toneMapped: false });
        }
    });
    const pictures = {};
    let [frame, normals] = [null, null];
    for (const way of ["smooth", "joints", "vertices"]) {
        const living = way === "smooth" ? null : await enliven(gltf, { way });
        const play = player(gltf, root);
        if (living) {
            walk(living, play, sways);
            if (look === "lit by the bones' normals") {
                normals ??= bonesNormals(living);
                living.meshes.forEach((mesh, i) => way === "vertices" && mesh.geometry.attributes.normal.array.set(normals[i]));
            }
        } else {
            play(89 / 64);
        }
        root.position.set(0, 0, 0);
        frame ??= frameOf(root);
        pictures[way] = pixelsOf(root, frame, look !== "painted");
        living?.dispose();
    }
    const differing = (a, b) => a.reduce((count, value, i) => count + (Math.abs(value - b[i]) > 24 ? 1 : 0), 0);
    return { ways: differing(pictures.joints, pictures.vertices), flesh: differing(pictures.joints, pictures.smooth) };
};

/// The normals that three.js gives the skin with its bones and helper bones, in the root's space.
function bonesNormals(living) {
    const [v, tip] = [new THREE.Vector3(), new THREE.Vector3()];
    living.root.updateMatrixWorld(true);
    const back = living.root.matrixWorld.clone().invert();
    return living.meshes.map((mesh) => {
        const { position, normal } = mesh.geometry.attributes;
        const out = new Float32Array(3 * position.count);
        const to = back.clone().multiply(mesh.matrixWorld);
        mesh.skeleton.update();
        for (let i = 0; i < position.count; ++i) {
            v.fromBufferAttribute(position, i);
            tip.fromBufferAttribute(normal, i).add(v);
            mesh.applyBoneTransform(i, v).applyMatrix4(to);
            mesh.applyBoneTransform(i, tip).applyMatrix4(to);
            tip.sub(v).normalize().toArray(out, 3 * i);
        }
        return out;
    });
}

/// Waves of colour over the skin at rest, so that a small shift shows.
function paint(geometry) {
    const { position } = geometry.attributes;
    geometry.computeBoundingBox();
    const scale = 150 / geometry.boundingBox.getSize(new THREE.Vector3()).length();
    const wave = (value) => 0.5 + 0.5 * Math.sin(scale * value);
    const colors = new Float32Array(3 * position.count);
    for (let i = 0; i < position.count; ++i) {
        colors.set([wave(position.getX(i)), wave(position.getY(i)), wave(position.getZ(i))], 3 * i);
    }
    geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
}

/// Twenty at once, and ten thousand frames: what an update takes, and what grows.
window.last = async ({ url, frames }) => {
    const gltf = await load(url);
    const all = [];
    for (let i = 0; i < 20; ++i) {
        const root = i === 0 ? gltf.scene : clone(gltf.scene);
        all.push({ play: player(gltf, root), living: await enliven(i === 0 ? gltf : root) });
    }
    const { supple } = all[0].living.model;
    let [start, heap] = [0, 0];
    const times = [];
    for (let frame = 0; frame < frames; ++frame) {
        all.forEach(({ play }, i) => play(((frame + i) / 64) % 1));
        const before = performance.now();
        for (const { living } of all) {
            living.update(1 / 64);
        }
        times.push(performance.now() - before);
        if (frame === 500) {
            window.gc?.();
            [start, heap] = [supple.memorySize, performance.memory.usedJSHeapSize];
        }
        if (frame % 1000 === 999) {
            await new Promise((done) => setTimeout(done));
        }
    }
    window.gc?.();
    const late = times.slice(500).sort((a, b) => a - b);
    const grown = { module: supple.memorySize - start, heap: performance.memory.usedJSHeapSize - heap };
    const joints = all[0].living.model.character.jointCount;
    all.forEach(({ living }) => living.dispose());
    return { joints, grown, median: late[late.length >> 1], mean: late.reduce((a, b) => a + b, 0) / late.length };
};
