import type { EnlivenOptions, Living } from './scene.js';

export type { EnlivenOptions, Living, LivingElement } from './scene.js';

/** Brings to life what GLTFLoader gives, or a copy (SkeletonUtils.clone) of an object that lives already. */
export function enliven( gltf: object, options?: EnlivenOptions ): Promise<Living>;
