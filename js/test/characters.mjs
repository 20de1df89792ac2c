// The characters that bakes are compared on: [ file, clip, form ]. Meshopt, Draco, morph targets and other files are among them.
export const characters = [
    [ 'khronos_fox/glTF-Binary/Fox.glb', 'Run', 'joints' ],
    [ 'khronos_fox/glTF-Binary/Fox.glb', 'Run', 'morphs' ],
    [ 'odd_cow/Cow_meshopt_EXT.glb', 0, 'joints' ],
    [ 'khronos_cesiumman/glTF-Draco/CesiumMan.gltf', 0, 'morphs' ],
    [ 'khronos_riggedfigure/glTF-Draco/RiggedFigure.gltf', 0, 'joints' ],
    [ 'odd_cow/Cow_external2.gltf', 0, 'morphs' ],
    [ 'odd_cow/Cow_meshopt_fallback.gltf', 0, 'auto' ],
    [ 'odd_cow/Cow_morph.glb', 0, 'joints' ],
    [ 'mh_human/mh_heavy.glb', 'walk', 'joints' ],
    [ 'quaternius/Horse.glb', 0, 'joints' ],
    [ 'strangers/Husky.glb', 0, 'auto' ],
    [ 'strangers/Koi.glb', 0, 'morphs' ],
];
