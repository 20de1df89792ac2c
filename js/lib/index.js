// Supple: living flesh for characters that are already skinned and animated.
export { bake, bakeInWorker } from './bake.js';
export { Body, Editor, Take } from './body.js';
export { Character, Pose } from './character.js';
export { SuppleError } from './error.js';
export { Model, proposeRig, Rig } from './rig.js';
export { hasSimd, loadSupple, Supple } from './supple.js';
