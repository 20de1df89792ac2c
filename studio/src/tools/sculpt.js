// A brush that moves the skin of one pose: a corrective that comes wherever that pose comes.
import { paintOf, valuesOf } from '../page/painted.js';
import { Strokes } from './brush.js';

const modes = { out: 'Pull out', in: 'Push in', smooth: 'Smooth' };

/** "moves" of an example in a rig, as three numbers a vertex. */
function movesOf( session, moves )
{
    const out = new Float32Array( 3 * session.info.vertexCount );
    for ( const axis of [ 0, 1, 2 ] )
    {
        const own = { meshes: ( moves?.meshes ?? [] ).map( ( { moves: list, ...rest } ) => ( { ...rest,
            values: list.map( ( move ) => move[axis] ) } ) ) };
        valuesOf( session, own ).forEach( ( value, v ) => { out[3 * v + axis] = value; } );
    }
    return out;
}

export class Sculpt extends Strokes
{
    /** `example`: what the corrective is beside its moves: name, joints, clip, time. */
    constructor( app, example )
    {
        super( app, { modes, mode: 'out' } );
        this.example = example;
        this.strength = 0.3;
        this.words = `Sculpt the skin at ${example.time.toFixed( 2 )} s. It comes wherever ${example.joints.join( ', ' )} stands so.`;
    }

    get item()
    {
        return ( this.app.session.rig.examples ?? [] ).findIndex( ( { name } ) => name === this.example.name );
    }

    start()
    {
        this.app.player.seek( this.example.time );
    }

    down( event )
    {
        const isOn = super.down( event );
        if ( isOn )
        {
            this.app.player.seek( this.example.time );
            this.before = this.positions.slice();
        }
        return isOn;
    }

    dab( hit, { altKey } )
    {
        const { app } = this, { skins } = app.player, skin = skins.living ?? skins.smooth;
        const mode = altKey ? { out: 'in', in: 'out', smooth: 'smooth' }[this.mode] : this.mode;
        const { positions, normals } = skin, before = positions.slice();
        const step = ( mode === 'in' ? -1 : 1 ) * 0.006 * app.session.info.size * this.strength;
        for ( const [ v, share ] of this.reached( hit ) )
        {
            const to = mode === 'smooth' ? this.surface.meanBeside( before, v, 3 ) : [ 0, 1,
                2 ].map( ( k ) => before[3 * v + k] + step * normals[3 * v + k] );
            const part = mode === 'smooth' ? share * this.strength : share;
            to.forEach( ( value, k ) => { positions[3 * v + k] += ( value - before[3 * v + k] ) * part; } );
        }
        app.stage.put( skins, { look: app.looks.now, world: app.player.worldAfter( 0 ) } );
    }

    commit()
    {
        const { app, item } = this, moved = this.positions;
        const moves = item >= 0 ? movesOf( app.session, app.session.rig.examples[item].moves ) : new Float32Array( moved.length );
        moved.forEach( ( value, i ) => { moves[i] += value - this.before[i]; } );
        const fields = { ...this.example, space: 'posed', moves: paintOf( app.session, moves, 3 ) };
        return item >= 0 ? app.edits.replace( 'examples', item, fields ) : app.edits.add( 'examples', fields );
    }

    buttons()
    {
        return [];
    }
}
