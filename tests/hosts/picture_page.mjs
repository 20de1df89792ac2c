// In the browser: a frame of a clip as three.js draws it, differences of vertices in colours, and sheets of pictures.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

function renderer(width, height) {
    const made = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    made.setSize(width, height);
    made.setClearColor(0, 0);
    return made;
}

function camera(view, width, height) {
    const half = view.width / 2;
    const made = new THREE.OrthographicCamera(-half, half, (half * height) / width, (-half * height) / width, 0.01 * view.width, 100 * view.width);
    const center = new THREE.Vector3(...view.center);
    made.position.copy(center).addScaledVector(new THREE.Vector3(...view.back).normalize(), 10 * view.width);
    made.lookAt(center);
    return made;
}

async function load(url, clip, time) {
    const gltf = await new GLTFLoader().loadAsync(url);
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(gltf.animations.find((one) => one.name === clip));
    action.play();
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    let mesh;
    gltf.scene.traverse((object) => {
        object.frustumCulled = false;
        if (object.isMesh && (mesh === undefined || object.geometry.attributes.position.count > mesh.geometry.attributes.position.count)) {
            mesh = object;
        }
    });
    mesh.skeleton?.update();
    return { gltf, mesh };
}

window.draw = async ({ url, clip, time, view, width, height }) => {
    const { gltf, mesh } = await load(url, clip, time);
    const scene = new THREE.Scene();
    const eye = camera(view, width, height);
    scene.add(gltf.scene, new THREE.AmbientLight(0xffffff, 1.2), eye);
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(-0.5, 0.7, 1);
    eye.add(sun);
    const made = renderer(width, height);
    made.render(scene, eye);
    const v = new THREE.Vector3();
    const positions = [];
    for (let i = 0; i < mesh.geometry.attributes.position.count; ++i) {
        mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld);
        positions.push(v.x, v.y, v.z);
    }
    return { picture: made.domElement.toDataURL("image/png"), positions, index: [...mesh.geometry.index.array] };
};

/// From blue over green and yellow to red: 0 to 1.
function heat(share) {
    return new THREE.Color().setHSL((0.66 * (1 - Math.min(share, 1))), 0.85, 0.5);
}

window.heat = ({ positions, index, differences, most, view, width, height }) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(differences.flatMap((d) => heat(d / most).toArray()), 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    const scene = new THREE.Scene();
    const eye = camera(view, width, height);
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    sun.position.set(-0.5, 0.7, 1);
    eye.add(sun);
    scene.add(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide })), new THREE.AmbientLight(0xffffff, 2), eye);
    const made = renderer(width, height);
    made.render(scene, eye);
    return made.domElement.toDataURL("image/png");
};

/// Pictures side by side with words below, as WebP.
window.sheet = async ({ pictures, captions, width, height, quality }) => {
    const canvas = document.createElement("canvas");
    canvas.width = width * pictures.length;
    canvas.height = height + 34;
    const at = canvas.getContext("2d");
    at.fillStyle = "#f2f2f4";
    at.fillRect(0, 0, canvas.width, canvas.height);
    at.fillStyle = "#222";
    at.font = "13px sans-serif";
    at.textAlign = "center";
    for (const [i, url] of pictures.entries()) {
        const image = new Image();
        image.src = url;
        await image.decode();
        at.drawImage(image, i * width, 0, width, height);
        captions[i].split("\n").forEach((line, k) => at.fillText(line, (i + 0.5) * width, height + 12 + 16 * k));
    }
    return canvas.toDataURL("image/webp", quality);
};
