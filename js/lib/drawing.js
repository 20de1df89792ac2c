// What layers show of themselves: lines, points, triangles, and values on the skin.
import { SuppleError } from './error.js';
import { Handle } from './handle.js';

const rows = [ 'lines', 'points', 'corners', 'scalars', 'colors' ];

/** Room that a body draws into. */
export class Drawing extends Handle
{
    constructor( supple )
    {
        super( supple, supple.made( 'supProgram_CreateDrawing' ), 'supProgram_DestroyDrawing' );
    }

    /** One thing by name, as views that are good until the next call of anything. */
    of( body, what )
    {
        const { supple } = this;
        const known = supple.with( [ what ], ( at ) => supple.call( 'supProgram_Draw', this.address, body, at ) );
        if ( known !== 1 )
        {
            throw known === 0 ? new SuppleError( `nothing is drawn as "${what}"; there are ${supple.drawNames.join( ', ' )}`, 'notFound' )
                : new SuppleError( `no memory to draw "${what}"`, 'memory' );
        }
        const told = new Uint32Array( supple.buffer, this.address, 3 * rows.length );
        return Object.fromEntries( rows.map( ( name, i ) => [ name, new Float32Array( supple.buffer, told[3 * i], told[3 * i + 1] ) ] ) );
    }
}
