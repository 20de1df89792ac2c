// Options as the words of the program: what they mean is said in one place, there.
import { SuppleError } from './error.js';

const axis = ( value ) => ( typeof value === 'string' ? value : Array.from( value ).join( ',' ) );
export const text = ( word ) => ( value ) => [ word, String( value ) ];
const list = ( word ) => ( value ) => ( [ value ].flat().length === 0 ? [] : [ word, [ value ].flat().join( ',' ) ] );

/** What may be said of the automatic rig. */
export const proposeWords = {
    preset: text( '--preset' ),
    kind: text( '--kind' ),
    front: ( value ) => [ '--front', axis( value ) ],
    up: ( value ) => [ '--up', axis( value ) ],
    regions: ( value ) => Object.entries( value ).flatMap( ( [ name, factor ] ) => [ '--region', `${name}=${factor}` ] ),
    only: list( '--only' ),
    without: list( '--without' ),
};

/** The words of options by a table; those that are in neither list are told. */
export function wordsFor( table, options, others = [] )
{
    return Object.entries( options ).flatMap( ( [ key, value ] ) => {
        if ( !( key in table ) && !others.includes( key ) )
        {
            throw new SuppleError( `no option "${key}"; there are ${[ ...Object.keys( table ), ...others ].join( ', ' )}`,
                'argument' );
        }
        return key in table && value !== undefined && value !== null ? table[key]( value ) : [];
    } );
}

/** The lines that a command said, without its name and without where its help is. */
export function linesOf( said )
{
    return said.split( '\n' ).map( ( line ) => line.replace( /^supple [a-z]+: /, '' ).replace( /; 'supple [a-z]+ -h' .*$/, '' ) )
        .filter( ( line ) => line !== '' && !/^'supple [a-z]+ -h'/.test( line ) );
}
