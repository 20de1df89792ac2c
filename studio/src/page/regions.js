// Pieces of flesh by region: "thigh left" and "thigh right" are the thigh.

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

/** "upperArm" as people write it. */
export const inWords = ( name ) => name.replace( /([a-z])([A-Z])/g, ( _, a, b ) => `${a} ${b.toLowerCase()}` );

/** How sure it is, in a word. */
export const sureness = ( confidence ) => ( confidence > 0.85 ? 'sure' : confidence > 0.6 ? 'fairly sure' : 'unsure' );
