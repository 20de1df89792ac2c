// Everything that index.d.ts declares, used as the page says: tsc must agree (types.test.mjs).
import { bake, bakeInWorker, Body, Character, Editor, loadSupple, Model, Pose, proposeRig, Rig, SuppleError, Take } from '../dist/index.js';
import { enliven as enlivenBabylon } from '../dist/babylon.js';
import { enliven, type Living } from '../dist/three.js';

export async function live( bytes: ArrayBuffer ): Promise<Float32Array>
{
    const supple = await loadSupple();
    const plain = await loadSupple( { simd: false } );
    const character = await Character.fromGltf( bytes, { supple: plain, name: 'fox.glb', readFile: async () => null } );
    const rig: Rig = proposeRig( character, { preset: 'heavy', regions: { belly: 1.5 }, front: [ 0, 0, 1 ],
        without: [ 'calf' ] } );
    proposeRig( character, { only: 'belly', up: '+Y' } )[Symbol.dispose]();
    const model = new Model( character, rig, { onProgress: ( { stage, done } ) => console.log( stage, done ) } );
    const body = new Body( model );
    const pose = new Pose( character );
    body.step( pose.sample( 'Run', 0.1 ), null, 1 / 60 );
    body.set( 'elements', 'belly', { frequency: 3 } );
    const { positions, normals } = body.skin( { normals: true } );
    const take = new Take( model, 0, { loop: 'on' } );
    take.show( 0.5, body );
    const editor = new Editor( character, Rig.fromJson( { elements: [] }, character ) );
    editor.add( 'elements', { name: 'belly', driver: 'hips' } );
    console.log( supple.layers[0].fields.map( ( field ) => field.name ), normals?.length, rig.proposal?.kind );
    body.dispose();
    return positions;
}

export async function baked( bytes: Uint8Array ): Promise<number>
{
    const { report } = await bake( bytes, { preset: 'natural', clips: [ 'Run' ], front: [ 0, 0, 1 ], influences: 8 } );
    const beside = await bakeInWorker( bytes, { as: 'morphs' }, { signal: new AbortController().signal } );
    const { bytes: points } = await bake( bytes, { format: 'pc2' } );
    return report.clips[0].maxError + beside.bytes.length + ( points?.length ?? 0 );
}

export async function play( gltf: object, container: object, bytes: ArrayBuffer ): Promise<void>
{
    const livings: Living[] = [ await enliven( gltf, { preset: 'heavy', way: 'joints', influences: 4 } ),
        await enlivenBabylon( container, { from: bytes, rig: { elements: [] } } ) ];
    for ( const living of livings )
    {
        living.set( 'belly', { frequency: 3 } );
        const moved: boolean = living.update( 1 / 60 );
        console.log( moved, living.elements[0].frequency + living.error, living.fields[0].words );
        living.dispose();
    }
}

export function words( error: unknown ): string
{
    return error instanceof SuppleError ? `${error.code}: ${error.message}` : '';
}
