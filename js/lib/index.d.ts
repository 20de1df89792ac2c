// Supple: living flesh for characters that are already skinned and animated.

// As the newest `lib` of TypeScript has it, for those who compile with an older one.
declare global
{
    interface SymbolConstructor
    {
        readonly dispose: unique symbol;
    }
}

/** What fails, in the library's own words. */
export class SuppleError extends Error
{
    readonly code: 'memory' | 'argument' | 'file' | 'format' | 'data' | 'unsupported' | 'notFound' | 'limit' | 'canceled' |
        'unknown';
}

export type Bytes = ArrayBuffer | ArrayBufferView;
/** Numbers in a row: an array, or a typed one. */
export type Floats = ArrayLike<number>;
export type Vector = readonly [ number, number, number ];

export interface Progress
{
    /** What is being done. */
    stage: string;
    /** The share that is done, 0 to 1. */
    done: number;
}

/** For work that may take long. */
export interface WatchOptions
{
    onProgress?: ( progress: Progress ) => void;
    signal?: AbortSignal;
}

// ------------------------------------------------------------------------------------------------------------------
// The module

export interface LoadOptions
{
    /** false: the plain build. Default: as the machine has it. */
    simd?: boolean;
    /** The module: compiled, as bytes, or where the file is. Default: beside this file. */
    wasm?: WebAssembly.Module | Bytes | string | URL;
    /** The same for the part that reads Draco. */
    draco?: WebAssembly.Module | Bytes | string | URL;
}

export interface Field
{
    name: string;
    type: 'switch' | 'number' | 'length' | 'vector' | 'choice' | 'name' | 'names' | 'keys' | 'paint' | 'spheres' | 'points' |
        'moves' | 'shape' | 'items';
    /** May change while a body runs, without a new model. */
    live: boolean;
    /** For experts: nothing for a first panel of sliders. */
    advanced: boolean;
    unit: string;
    minimum: number | null;
    maximum: number | null;
    fallback: number | null;
    choices?: string[];
    /** Of lists of objects ('items'): what each of them has. */
    fields?: Field[];
    words: string;
}

export interface Layer
{
    name: string;
    /** Of the list of its items in a rig's JSON: "elements". */
    key: string;
    words: string;
    fields: Field[];
}

/** One running module, with a memory of its own. */
export class Supple
{
    private constructor();
    readonly version: string;
    /** Which instructions it uses: "WASM SIMD" or "scalar". */
    readonly simd: string;
    /** Bytes that it has taken of the machine's memory so far. */
    readonly memorySize: number;
    readonly layers: Layer[];
    /** What bodies can draw. */
    readonly drawNames: string[];
    loadDraco(): Promise<void>;
}

/** Loads the module; without options one is shared by all who ask. */
export function loadSupple( options?: LoadOptions ): Promise<Supple>;
export function hasSimd(): boolean;

/** What lives in the module's memory: freed by dispose(), by `using`, or when nobody has it any more. */
export class Handle
{
    protected constructor();
    readonly supple: Supple;
    readonly isDisposed: boolean;
    dispose(): void;
    [Symbol.dispose](): void;
}

// ------------------------------------------------------------------------------------------------------------------
// Characters

export interface GltfOptions
{
    /** For messages. */
    name?: string;
    /** Other files that the document names: bytes, or null where there is no such file. */
    readFile?: ( uri: string ) => Bytes | null | Promise<Bytes | null>;
    /** What the document may take in memory. Bytes. Default 1.5e9. */
    maxMemory?: number;
    /** Told of what was put right. */
    onNote?: ( text: string ) => void;
    supple?: Supple;
    /** More motion, put onto the joints that are called alike. */
    motions?: Motion[];
}

/** A file with motion: BVH or glTF. */
export interface Motion
{
    name: string;
    data: Bytes;
}

export interface MotionReport
{
    name: string;
    clips: number;
    /** Joints that it moves, and joints of its own that move nothing here. */
    matched: number;
    unmatched: number;
    unmatchedNames: string;
}

export interface Joint
{
    name: string;
    /** -1: a root. */
    parent: number;
    isSkinJoint: boolean;
    /** Which bone of a human the file says it is, in the words of VRM 1.0; "" where it says nothing. */
    humanBone: string;
    /** Something in the host swings it already. */
    hasPhysics: boolean;
}

export interface Mesh
{
    name: string;
    material: string;
    joint: number;
    skin: number;
    firstVertex: number;
    vertexCount: number;
    indexCount: number;
    influenceCount: number;
    morphCount: number;
    firstMorphWeight: number;
    /** The glTF mesh and primitive that it is. */
    sourceMesh: number;
    sourcePrimitive: number;
    hasNormals: boolean;
    hasTangents: boolean;
}

export interface Clip
{
    name: string;
    start: number;
    end: number;
}

/** What the artist already has: meshes, influences, skeleton, clips. Joints are glTF's nodes, in their order. */
export class Character extends Handle
{
    private constructor();
    static fromGltf( data: Bytes, options?: GltfOptions & { removeBake?: boolean } ): Promise<Character>;
    readonly name: string;
    /** Diagonal of the bounding box at rest. Metres. */
    readonly size: number;
    readonly vertexCount: number;
    readonly jointCount: number;
    readonly morphWeightCount: number;
    readonly joints: Joint[];
    readonly meshes: Mesh[];
    readonly skins: { name: string; joints: number[] }[];
    readonly clips: Clip[];
    /** Of the mesh: painted weights carry it. */
    readonly fingerprint: string;
    /** What became of the motions that were asked for. */
    readonly motions: MotionReport[];
    /** The rig inside the file, or null. */
    readonly insideRig: Rig | null;
    readonly restPositions: Float32Array;
    readonly restJoints: Float32Array;
    indices( mesh: number ): Uint32Array;
    findJoint( name: string ): number;
    findClip( name: string ): number;
}

/** Where the joints are at a time of a clip. */
export class Pose extends Handle
{
    constructor( character: Character );
    readonly character: Character;
    sample( clip: number | string, time: number ): Float32Array;
    rest(): Float32Array;
    /** Model space, twelve floats a joint. A view of the module's memory: ask again after anything was made. */
    readonly joints: Float32Array;
    readonly morphWeights: Float32Array;
}

// ------------------------------------------------------------------------------------------------------------------
// Rigs and models

export type Preset = 'subtle' | 'natural' | 'heavy' | 'cartoon';
export type BodyKind = 'human' | 'quadruped' | 'biped' | 'fish' | 'snake' | 'many-legged' | 'blob' | 'machine';

export interface ProposeOptions
{
    preset?: Preset;
    kind?: BodyKind;
    /** Where it looks, and where its head or back is: "+Z", or a direction. */
    front?: string | Vector;
    up?: string | Vector;
    /** Times the amount of each region: { belly: 1.5, breasts: 0, "thigh left": 2 }. */
    regions?: Record<string, number>;
    /** No regions but these, and all but these: [ 'belly', 'thigh left' ]. */
    only?: string | string[];
    without?: string | string[];
}

export interface Proposal
{
    kind: BodyKind;
    front: Vector;
    up: Vector;
    left: Vector;
    /** 0 to 1. */
    confidence: number;
    evidence: { about: string; cue: string; says: string; weight: number }[];
    elements: {
        name: string;
        region: string;
        side: 'middle' | 'left' | 'right';
        center: Vector;
        ceiling: number;
        typical: number;
        peak: number;
    }[];
}

/** What is to move, as data. */
export class Rig extends Handle
{
    private constructor();
    static fromJson( json: string | object, character: Character, name?: string ): Rig;
    readonly proposal: Proposal | null;
    /** The text of a .rig.json. */
    toText(): string;
    toJSON(): Record<string, unknown>;
    addMuscles( character: Character ): this;
    addFat( character: Character ): this;
}

export function proposeRig( character: Character, options?: ProposeOptions ): Rig;

export interface ModelElement
{
    name: string;
    driver: number;
    driverName: string;
    vertexCount: number;
    mass: number;
    volume: number;
    thickness: number;
    frequency: number;
    dampingRatio: number;
    amount: number;
    sag: number;
}

export interface Helper
{
    /** What it carries: an element's name, or a mode's. */
    name: string;
    element: number;
    /** Its parent. */
    joint: number;
    kind: number;
    turns: boolean;
    /** Where it stands at rest, in the joint's own space. */
    place: Vector;
}

interface ModelParts
{
    readonly character: Character;
    readonly elements: ModelElement[];
    readonly helpers: Helper[];
    /** Names of the items of every layer, by the layer's key. */
    readonly items: Record<string, string[]>;
    /** The first layer above flesh that has items, or -1. */
    readonly applyingLayer: number;
    /** The first layer that helper joints cannot carry, or -1. */
    readonly morphLayer: number;
}

export interface Model extends ModelParts
{
}

/** A character and a compiled rig: shared by any number of bodies. */
export class Model extends Handle
{
    constructor( character: Character, rig: Rig, options?: WatchOptions );
}

// ------------------------------------------------------------------------------------------------------------------
// Bodies

export interface Skin
{
    /** Three floats a vertex, of all meshes one after the other. A view of the module's memory. */
    positions: Float32Array;
    normals: Float32Array | null;
    tangents: Float32Array | null;
}

/** Rows of floats, views of the module's memory. */
export interface Drawn
{
    /** From, to, colour, width: 11 each. */
    lines: Float32Array;
    /** At, colour, diameter: 8 each. */
    points: Float32Array;
    /** Of triangles: at, normal, colour: 10 each. */
    corners: Float32Array;
    /** One a vertex of the character, or none. */
    scalars: Float32Array;
    /** Four a vertex, or none. */
    colors: Float32Array;
}

declare class Living extends Handle
{
    readonly model: ModelParts;
    /** Where the next step's joints may be written at once, twelve floats each. */
    readonly joints: Float32Array;
    /** False: refused (not finite, flat), and nothing changed. */
    step( joints: Floats, world: Floats | null, dt: number ): boolean;
    skin( options?: { normals?: boolean; tangents?: boolean } ): Skin;
    smoothSkin( options?: { normals?: boolean } ): Skin;
    helperJoints(): Float32Array;
    setMorphWeights( weights: Floats | null ): void;
    setExact( exact: boolean ): void;
    setWind( wind: Vector ): void;
    setGravity( gravity: Vector ): void;
    push( element: number | string, impulse: Vector ): void;
    forceAround( point: Vector, radius: number, force: Vector ): void;
    reset(): void;
    teleport( from: Floats, to: Floats ): void;
    cut(): void;
    readonly jumps: {
        count: number;
        reason: 'none' | 'announced' | 'backwards' | 'moved' | 'cut' | 'hitch' | 'joints';
    };
    readonly isAtRest: boolean;
    element( element: number | string ): { elongation: Vector; velocity: Vector; anchor: Vector; limit: number };
    /** How much of an element's motion each vertex takes, 0 to 1: a view. */
    weights( element: number | string ): Float32Array;
    /** What the layers show of themselves, by a name of `supple.drawNames`. */
    draw( what: string ): Drawn;
    /** A number of an item of any layer: get( 'elements', 'belly', 'frequency' ). */
    get( key: string, item: number | string, field: string ): number;
}

/** One model on stage. */
export class Body extends Living
{
    constructor( model: Model );
    /** Live fields alone. */
    set( key: string, item: number | string, fields: Record<string, number | boolean> ): void;
}

/** A body whose rig may be edited while it runs. */
export class Editor extends Living
{
    constructor( character: Character, rig: Rig );
    readonly rig: Record<string, unknown>;
    readonly compiled: number;
    set( key: string, item: number | string, fields: Record<string, unknown> ): void;
    add( key: string, value: object ): void;
    /** Another item in the place of one. */
    replace( key: string, item: number | string, value: object ): void;
    /** A clip, simulated with the rig as it is now, to be shown on this editor. It ends with the next edit. */
    take( clip: number | string, options?: TakeOptions ): Take;
    remove( key: string, item: number | string ): void;
}

export interface TakeOptions extends WatchOptions
{
    loop?: 'auto' | 'on' | 'off';
    ends?: 'free' | 'rest';
}

/** A clip, simulated: any time of it, exactly. */
export class Take extends Handle
{
    constructor( model: Model, clip: number | string, options?: TakeOptions );
    readonly model: Model;
    readonly clip: number;
    readonly start: number;
    readonly end: number;
    readonly loops: boolean;
    readonly isOnceByName: boolean;
    readonly poseGap: number;
    readonly seam: number;
    readonly maxDisplacement: number;
    readonly limited: number;
    /** Elongations of all elements at a time, three floats each, in model space: a view. */
    elongations( time: number ): Float32Array;
    /** Puts a body of the same model where the take is at a time; it is then skinned as ever. */
    show( time: number, body: Body ): boolean;
}

// ------------------------------------------------------------------------------------------------------------------
// Bakes

/** As the program's options are called; `supple bake -h` tells of each. */
export interface BakeOptions extends ProposeOptions
{
    /** For messages: "fox.glb". */
    name?: string;
    /** pc2, mdd: point caches; where several are made (clips, objects) they are among the files. */
    format?: 'glb' | 'gltf' | 'vrm' | 'pc2' | 'mdd';
    readFile?: GltfOptions['readFile'];
    supple?: Supple;
    /** In the place of the one inside, or of the one that would be found. */
    rig?: Rig | string | object;
    typicalBy?: 'all' | 'baked';
    clips?: string | string[];
    loop?: 'auto' | 'on' | 'off';
    ends?: 'free' | 'rest';
    as?: 'auto' | 'joints' | 'morphs';
    /** false: morphs without normals. */
    normals?: boolean;
    influences?: 'auto' | 4 | 8;
    fps?: number;
    tolerance?: number | string;
    keys?: 'linear' | 'cubic';
    maxError?: number | string;
    maxSeam?: number | string;
    live?: boolean;
    /** Point caches: one point where the file has several vertices in one place. */
    weld?: boolean;
    /** More motion: BVH, or the clips of other glTF files. */
    motions?: Motion[];
    keepNames?: boolean;
    dropOriginals?: boolean;
    /** false: the rig does not go into the file. */
    embed?: boolean;
}

/** What `supple bake --json` prints. */
export interface BakeReport
{
    form: 'joints' | 'morphs' | 'live joints';
    size: number;
    bytesIn: number;
    bytesOut: number;
    seconds: number;
    aboveTolerance: boolean;
    elements: { name: string; driver: string; frequency: number; [key: string]: unknown }[];
    clips: { name: string; frames: number; loop: boolean; maxError: number; maxDisplacement: number; hash: string;
        [key: string]: unknown }[];
    [key: string]: unknown;
}

export interface Baked<F extends BakeOptions['format'] = BakeOptions['format']>
{
    /** null, of point caches alone: several were made, and all are among the files. */
    bytes: F extends FileFormat | undefined ? Uint8Array : Uint8Array | null;
    report: BakeReport;
    /** Those beside a .gltf, and point caches, by name. */
    files: Record<string, Uint8Array>;
}

type FileFormat = 'glb' | 'gltf' | 'vrm';

/** Bakes in this thread. Progress is told as it goes; the signal is looked at each time. */
export function bake<F extends BakeOptions['format'] = FileFormat>( data: Bytes, options?: BakeOptions & { format?: F },
    watch?: WatchOptions & { onNote?: ( text: string ) => void } ): Promise<Baked<F>>;
/** The same in a worker of its own; the signal ends it at once. */
export function bakeInWorker<F extends BakeOptions['format'] = FileFormat>( data: Bytes,
    options?: BakeOptions & { format?: F }, watch?: WatchOptions & { onNote?: ( text: string ) => void } ): Promise<Baked<F>>;
