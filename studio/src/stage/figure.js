// One skin of the character: all its meshes, with their own looks or painted.
import { BufferAttribute, BufferGeometry, Color, Group, Mesh, MeshStandardMaterial } from 'three';

const grey = () => new MeshStandardMaterial( { color: 0xb9a699, roughness: 0.75 } );
const painted = new MeshStandardMaterial( { vertexColors: true, roughness: 0.85 } );
const veiled = new MeshStandardMaterial( { color: 0xb9a699, roughness: 0.75, transparent: true, opacity: 0.22, depthWrite: false } );

const cold = new Color( 0x39506b ), warm = new Color( 0xffb347 ), hot = new Color( 0xd7263d );

/** From cold over warm to hot, in 256 steps of three numbers. */
const heats = new Float32Array( 3 * 256 );
for ( let i = 0; i < 256; ++i )
{
    const share = i / 255;
    cold.clone().lerp( warm, Math.min( 1, 2 * share ) ).lerp( hot, Math.max( 0, 2 * share - 1 ) ).toArray( heats, 3 * i );
}

/** The colour of a share from 0 to 1, at a place among others. */
function putHeat( share, colors, at )
{
    const from = 3 * Math.round( 255 * Math.min( 1, Math.max( 0, share ) ) );
    colors[at] = heats[from];
    colors[at + 1] = heats[from + 1];
    colors[at + 2] = heats[from + 2];
}

/** Colours of vertices by how far they are from where they would be without flesh. */
export function waysBetween( a, b, most )
{
    const colors = new Float32Array( a.length );
    for ( let i = 0; i < a.length; i += 3 )
    {
        putHeat( Math.hypot( a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2] ) / most, colors, i );
    }
    return colors;
}

export function heatOf( values )
{
    const colors = new Float32Array( 3 * values.length );
    values.forEach( ( value, v ) => putHeat( value, colors, 3 * v ) );
    return colors;
}

export class Figure extends Group
{
    constructor( info, looks )
    {
        super();
        this.matrixAutoUpdate = false;
        this.parts = info.meshes.map( ( mesh, number ) => {
            const look = looks.get( `${mesh.joint} ${mesh.sourcePrimitive}` );
            const fits = look?.count === mesh.vertexCount;
            const geometry = new BufferGeometry();
            for ( const name of [ 'position', 'normal' ] )
            {
                geometry.setAttribute( name, new BufferAttribute( new Float32Array( 3 * mesh.vertexCount ), 3 ) );
            }
            for ( const name of fits ? [ 'uv', 'uv1', 'uv2', 'color' ] : [] )
            {
                if ( look.geometry.attributes[name] )
                {
                    geometry.setAttribute( name, look.geometry.attributes[name] );
                }
            }
            const coordinates = info.coordinates[`${mesh.sourceMesh} ${mesh.sourcePrimitive}`];
            if ( coordinates?.length === 2 * mesh.vertexCount )
            {
                geometry.setAttribute( 'uv', new BufferAttribute( coordinates, 2 ) );
            }
            geometry.setIndex( new BufferAttribute( info.indices[number], 1 ) );
            const material = fits ? look.material : grey();
            const part = new Mesh( geometry, material );
            part.frustumCulled = false;
            part.castShadow = true;
            this.add( part );
            const paint = new BufferAttribute( new Float32Array( 3 * mesh.vertexCount ), 3 );
            return { part, mesh, material, paint, color: geometry.attributes.color ?? paint };
        } );
    }

    /** Puts vertices where they are. `colors`: painted with these, three a vertex; `isVeiled`: what is beneath shows through. */
    put( { positions, normals }, { colors = null, isVeiled = false } = {} )
    {
        for ( const { part, mesh: { firstVertex, vertexCount }, material, paint, color } of this.parts )
        {
            const { position, normal } = part.geometry.attributes;
            const [ from, to ] = [ 3 * firstVertex, 3 * ( firstVertex + vertexCount ) ];
            position.array.set( positions.subarray( from, to ) );
            normal.array.set( normals.subarray( from, to ) );
            position.needsUpdate = true;
            normal.needsUpdate = true;
            if ( colors )
            {
                paint.array.set( colors.subarray( from, to ) );
                paint.needsUpdate = true;
            }
            part.geometry.setAttribute( 'color', colors ? paint : color );
            part.material = colors ? painted : isVeiled ? veiled : material;
        }
    }

    dispose()
    {
        this.parts.forEach( ( { part, material } ) => {
            part.geometry.dispose();
            for ( const one of [ material ].flat() )
            {
                Object.values( one ).forEach( ( value ) => value?.isTexture && value.dispose() );
                one.dispose();
            }
        } );
        this.removeFromParent();
    }
}
