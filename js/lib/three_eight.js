// Eight influences a vertex in three.js, which reads four: materials are given four more, beside the ones they have.
//
// The fourth weight is stored as one less itself. A mesh without these attributes reads (0, 0, 0, 1), which then stands
// for no weight at all: so a material may be shared with meshes that do not live.
import { Material, Matrix4, MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking, Vector3, Vector4 } from 'three';

const additions = [
    [ 'skinning_pars_vertex', '', `
#ifdef USE_SKINNING
	attribute vec4 suppleIndex;
	attribute vec4 suppleWeight;
#endif` ],
    [ 'skinbase_vertex', '', `
#ifdef USE_SKINNING
	mat4 suppleMatrix = suppleWeight.x * getBoneMatrix( suppleIndex.x ) + suppleWeight.y * getBoneMatrix( suppleIndex.y )
		+ suppleWeight.z * getBoneMatrix( suppleIndex.z ) + ( 1.0 - suppleWeight.w ) * getBoneMatrix( suppleIndex.w );
#endif` ],
    [ 'skinning_vertex', '', `
#ifdef USE_SKINNING
	transformed += ( bindMatrixInverse * ( suppleMatrix * skinVertex ) ).xyz;
#endif` ],
    [ 'skinnormal_vertex', `
#ifdef USE_SKINNING
	vec3 suppleNormal = objectNormal;
	#ifdef USE_TANGENT
		vec3 suppleTangent = objectTangent;
	#endif
#endif
`, `
#ifdef USE_SKINNING
	objectNormal += ( bindMatrixInverse * suppleMatrix * bindMatrix * vec4( suppleNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent += ( bindMatrixInverse * suppleMatrix * bindMatrix * vec4( suppleTangent, 0.0 ) ).xyz;
	#endif
#endif` ],
];

const taught = new WeakSet();

/** A material reads eight from now on; once is enough. */
export function teachMaterial( material )
{
    if ( taught.has( material ) )
    {
        return material;
    }
    taught.add( material );
    const { onBeforeCompile, customProgramCacheKey } = material;
    const hasKey = customProgramCacheKey !== Material.prototype.customProgramCacheKey;
    material.onBeforeCompile = function ( shader, renderer )
    {
        onBeforeCompile.call( this, shader, renderer );
        for ( const [ chunk, before, after ] of additions )
        {
            const line = `#include <${chunk}>`;
            shader.vertexShader = shader.vertexShader.replace( line, `${before}${line}${after}` );
        }
    };
    material.customProgramCacheKey = function ()
    {
        return `${hasKey ? customProgramCacheKey.call( this ) : onBeforeCompile} supple: eight influences`;
    };
    material.needsUpdate = true;
    return material;
}

let depth = null, distance = null;

/** For shadows, which three.js draws with materials of its own. */
export function shadowMaterials()
{
    depth ??= teachMaterial( new MeshDepthMaterial( { depthPacking: RGBADepthPacking } ) );
    distance ??= teachMaterial( new MeshDistanceMaterial() );
    return { depth, distance };
}

const point = new Vector3(), rest = new Vector3(), matrix = new Matrix4();
const index = new Vector4(), weight = new Vector4();

/** For rays and bounds: SkinnedMesh.applyBoneTransform with eight. */
export function applyEight( vertex, target )
{
    const { skeleton, geometry: { attributes } } = this;
    rest.copy( target ).applyMatrix4( this.bindMatrix );
    target.set( 0, 0, 0 );
    for ( const [ indices, weights, isMore ] of [ [ attributes.skinIndex, attributes.skinWeight, false ],
        [ attributes.suppleIndex, attributes.suppleWeight, true ] ] )
    {
        index.fromBufferAttribute( indices, vertex );
        weight.fromBufferAttribute( weights, vertex );
        weight.w = isMore ? 1 - weight.w : weight.w;
        for ( let i = 0; i < 4; ++i )
        {
            const share = weight.getComponent( i ), bone = index.getComponent( i );
            if ( share !== 0 )
            {
                matrix.multiplyMatrices( skeleton.bones[bone].matrixWorld, skeleton.boneInverses[bone] );
                target.addScaledVector( point.copy( rest ).applyMatrix4( matrix ), share );
            }
        }
    }
    return target.applyMatrix4( this.bindMatrixInverse );
}
