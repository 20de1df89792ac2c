// What the adapters of three.js and Babylon.js share.
import type { Body, Bytes, Field, GltfOptions, Model, ProposeOptions, Rig, Supple, Vector, WatchOptions } from './index.js';

export interface EnlivenOptions extends ProposeOptions, WatchOptions
{
    /**
     * How the skin is moved: by helper joints, which the GPU skins with, or by vertices that the module writes, which
     * shows all layers. Default: joints, where they can carry all that the rig has.
     */
    way?: 'auto' | 'joints' | 'vertices';
    /** Of a vertex, by joints: 8 are exact; 4 are for renderers that read no more. Default 8. */
    influences?: 4 | 8;
    /** A rig, or the JSON of one. Default: the one inside the file, else one is found. */
    rig?: Rig | string | object;
    /** The bytes of the file, where the loader does not have them any more. */
    from?: Bytes;
    readFile?: GltfOptions['readFile'];
    onNote?: GltfOptions['onNote'];
    supple?: Supple;
}

/** A piece of flesh and its numbers as they are now. */
export interface LivingElement
{
    name: string;
    frequency: number;
    dampingRatio: number;
    amount: number;
    sag: number;
    [field: string]: number | string;
}

/** A character on stage. */
export interface Living
{
    readonly model: Model;
    readonly body: Body;
    readonly way: 'joints' | 'vertices';
    /** What four influences leave out, over the clips of the file. Metres. */
    readonly error: number;
    readonly elements: LivingElement[];
    /** What may be set, with range, unit and words: for sliders. */
    readonly fields: Field[];
    /** Changes numbers of a piece of flesh, or of all that begin so: 'breast' is 'breast left' and 'breast right'. */
    set( name: string, fields: Record<string, number> ): void;
    /** A push in world space. N s. */
    push( name: string, impulse: Vector ): void;
    /** Moves on by `dt` seconds. False: bones or dt are no numbers, and it stays as it was. */
    update( dt: number ): boolean;
    /** To rest: where it comes on stage. */
    reset(): void;
    /** The next pose has nothing to do with the last one: before the next update. */
    cut(): void;
    /** The root was put elsewhere without having travelled: before the next update. */
    teleport(): void;
    /** Everything as it was before. With the last of a character its model is freed. */
    dispose(): void;
    [Symbol.dispose](): void;
}
