import type { EnlivenOptions, Living } from './scene.js';

export type { EnlivenOptions, Living, LivingElement } from './scene.js';

/**
 * Brings to life what the glTF loader gives (`from` has the bytes of the file), or what instantiateModelsToScene() gives
 * of a container that lives already.
 */
export function enliven( loaded: object, options?: EnlivenOptions ): Promise<Living>;
