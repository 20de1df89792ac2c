// Making: pieces of flesh by joints and brush, muscles by points, fat, correctives by sculpting, wrinkles, clothes.
import { button, inWords, make } from '../page/words.js';
import { choice, note, row, section, textRow } from './widgets.js';

export class MakePanel
{
    constructor( app )
    {
        Object.assign( this, { app, name: '', mesh: '', piece: '' } );
    }

    get shape()
    {
        const { session, tool } = this.app;
        return JSON.stringify( [ session.name, this.joints, ( session.rig.elements ?? [] ).map( ( { name } ) => name ), tool?.isPicking === true,
            session.proposal?.kind,
            Object.entries( session.rig ).map( ( [ key, list ] ) => [ key, list?.length ] ) ] );
    }

    build()
    {
        return [ this.jointsPart(), this.piecePart(), this.musclePart(), this.correctivePart(), this.wrinklePart(), this.clothesPart(),
            this.morePart() ];
    }

    get joints()
    {
        return this.app.session.joints;
    }

    setJoints( joints )
    {
        this.app.session.joints = joints;
        this.app.edits.done();
        this.app.changed( 'joints' );
    }

    /** Joints that several of these start with: chosen on the skeleton, or by name. */
    jointsPart()
    {
        const { app } = this;
        const chips = this.joints.map( ( name ) => button( `${name} ×`, 'Leave it out',
            () => this.setJoints( this.joints.filter( ( one ) => one !== name ) ), { className: 'small chip' } ) );
        const isPicking = app.tool?.isPicking === true;
        const add = textRow( 'By name', '', 'A joint of the skeleton; it is added to those above.', ( name ) => {
            if ( app.session.info.joints.some( ( joint ) => joint.name === name ) )
            {
                this.setJoints( [ ...this.joints.filter( ( one ) => one !== name ), name ] );
            }
        }, { list: 'jointnames' } );
        return section( 'Joints', note( 'Where new flesh hangs, and whose bend calls for a corrective. The first one carries.' ),
            chips.length > 0 ? row( ...chips ) : note( 'None is chosen yet.' ),
            row( button( isPicking ? 'Done choosing' : 'Choose on the skeleton', 'Click the joints in the picture', () => app.pickJoints( this ),
                { id: 'pickjoints', pressed: isPicking } ) ), add );
    }

    piecePart()
    {
        const name = textRow( 'Name', this.name, 'What the new piece is called.', ( value ) => { this.name = value; } );
        return section( 'Piece of flesh', note( 'Made on the joints above; then the brush says what skin belongs to it.' ), name,
            row( button( 'Make and paint', 'A new piece of flesh, and the brush', () => this.app.makePiece( this ), { id: 'makepiece' } ) ) );
    }

    musclePart()
    {
        const { app } = this, isHuman = app.session.proposal.kind === 'human';
        return section( 'Muscles and fat', note( 'Points on the body make an action line from origin to insertion.' ),
            row( button( 'Place a muscle', 'Click its points on the body', () => app.placeMuscle(), { id: 'placemuscle' } ),
                isHuman ? button( 'Find muscles', 'The major muscles of a human, and what carries them to the skin',
                    () => app.edits.deepen( { muscles: true } ) ) : null,
                button( 'Find fat', 'A soft layer under the skin', () => app.edits.deepen( { fat: true } ), { id: 'findfat' } ) ) );
    }

    correctivePart()
    {
        const { app } = this, { player } = app;
        const can = this.joints.length > 0 && player.clip >= 0;
        const sculpt = button( 'Sculpt this pose', 'A brush that moves the skin of the pose that is shown', () => app.sculpt( {
            name: app.freeName( 'examples', `${this.joints[0]} ${player.time.toFixed( 2 )} s` ), joints: this.joints,
                clip: app.session.clips[player.clip].name, time: Number( player.time.toFixed( 4 ) ) } ), { id: 'sculpt' } );
        sculpt.disabled = !can;
        return section( 'Corrective', note( 'Go to a pose that needs help, choose the joints that bend there, and sculpt.' ), row( sculpt ) );
    }

    wrinklePart()
    {
        const { app } = this;
        return section( 'Wrinkles', note( 'Folds stand across a line where the skin shortens.' ),
            row( button( 'Draw a line', 'Click its points on the body', () => app.drawWrinkle(), { id: 'drawwrinkle' } ),
                this.joints.length > 0 ? button( `Find them at ${this.joints[0]}`, 'Where the skin of this joint shortens most over the clips',
                    () => app.edits.add( 'wrinkles', { name: app.freeName( 'wrinkles', this.joints[0] ), joint: this.joints[0] } ) ) : null ) );
    }

    clothesPart()
    {
        const { app } = this, meshes = [ ...new Set( app.session.info.meshes.map( ( { name } ) => name ) ) ];
        const worn = ( app.session.rig.clothes ?? [] ).map( ( { mesh } ) => mesh );
        const free = meshes.filter( ( name ) => !worn.includes( name ) );
        if ( meshes.length < 2 || free.length === 0 )
        {
            return section( 'Clothes', note( meshes.length < 2 ? 'This character is one mesh: there is no garment apart from the skin.' : 'Every mesh is a garment already.' ) );
        }
        this.mesh = free.includes( this.mesh ) ? this.mesh : free.find( ( name ) => /shirt|cloth|pants|trouser|dress|skirt|jacket|coat|suit|sleeve/i.test( name ) ) ?? free[0];
        return section( 'Clothes', note( 'A garment goes with the skin beneath it.' ), choice( 'Mesh', free, this.mesh, 'The garment.',
            ( value ) => { this.mesh = value; } ),
            row( button( 'Make it a garment', 'It then goes with the skin', () => app.edits.add( 'clothes', { name: this.mesh, mesh: this.mesh } ),
                { id: 'makecloth' } ) ) );
    }

    /** What a piece of flesh can have besides. */
    morePart()
    {
        const { app } = this, names = ( app.session.rig.elements ?? [] ).map( ( { name } ) => name );
        if ( names.length === 0 )
        {
            return make( 'div' );
        }
        this.piece = names.includes( this.piece ) ? this.piece : names[0];
        const add = ( key, words, title, more = {} ) => button( words, title,
            () => app.edits.add( key, { name: app.freeName( key, this.piece ), element: this.piece, ...more } ) );
        return section( 'More for a piece', choice( 'Piece', names.map( ( name ) => [ name, inWords( name ) ] ), this.piece,
            'The piece that gets more.', ( value ) => { this.piece = value; } ),
            row( add( 'modes', 'Turning', 'It twists and tilts too', { motion: 'turn' } ), add( 'volumes', 'Volume',
                'What is squeezed in one place bulges in another' ),
                add( 'contacts', 'Contact', 'It presses against the other parts of the body' ) ) );
    }
}
