// Pieces of flesh by region: "thigh left" and "thigh right" are the thigh; and sides.

/** The regions of a rig, in its order: { name, elements: [ numbers ] }. */
export function regionsOf( elements, proposal )
{
    const byName = new Map( proposal.elements.map( ( { name, region } ) => [ name, region ] ) );
    const regions = new Map();
    elements.forEach( ( { name }, number ) => {
        const region = byName.get( name ) ?? ( name ?? '' ).replace( /[ ._-](left|right|[lr])$/i, '' );
        regions.set( region, [ ...( regions.get( region ) ?? [] ), number ] );
    } );
    return [ ...regions ].map( ( [ name, numbers ] ) => ( { name, elements: numbers } ) );
}

const swaps = [ [ 'left', 'right' ], [ 'Left', 'Right' ], [ 'LEFT', 'RIGHT' ] ];

/** A name of the other side, or null: "thigh left", "LeftArm", "arm_l", "Hand.R". */
export function otherSide( name )
{
    for ( const [ a, b ] of swaps )
    {
        if ( name.includes( a ) || name.includes( b ) )
        {
            return name.includes( a ) ? name.replace( a, b ) : name.replace( b, a );
        }
    }
    const side = name.match( /(^|[ ._-])([lrLR])(?=$|[ ._-])/ );
    const other = { l: 'r', r: 'l', L: 'R', R: 'L' };
    return side ? name.slice( 0, side.index ) + side[1] + other[side[2]] + name.slice( side.index + side[0].length ) : null;
}

/** How sure it is, in a word. */
export const sureness = ( confidence ) => ( confidence > 0.85 ? 'sure' : confidence > 0.6 ? 'fairly sure' : 'unsure' );
