// Keeping: exports with their report, the rig, pictures and films, and the command line that does the same.
import { forms } from '../page/session.js';
import { button, make } from '../page/words.js';
import { checkbox, choice, note, row, section } from './widgets.js';

/** The first line says how it went; of many clips the others are folded. */
function reportLines( [ first, ...rest ] )
{
    const lines = rest.map( ( textContent ) => make( 'li', { textContent } ) );
    const list = make( 'ul', { className: 'why' }, ...lines );
    return first === undefined ? [] : [ make( 'p', { textContent: first } ), ...( rest.length > 3 ? [ make( 'details', {}, make( 'summary',
        { textContent: `${rest.length} clips` } ), list ) ] : rest.length > 0 ? [ list ] : [] ) ];
}

export class KeepPanel
{
    constructor( app )
    {
        this.app = app;
    }

    get shape()
    {
        const { session } = this.app;
        return JSON.stringify( [ session.name, session.form ] );
    }

    build( shows )
    {
        return [ this.exportPart( shows ), this.rigPart(), this.picturePart() ];
    }

    exportPart( shows )
    {
        const { app } = this, { session } = app;
        const line = make( 'code', { id: 'command', tabIndex: 0 } ), report = make( 'div', { id: 'report', attributes: { role: 'status' } } );
        shows.push( () => {
            line.textContent = session.command( app.clip );
            report.replaceChildren( ...reportLines( session.report ) );
        } );
        return section( 'Export',
            choice( 'As', Object.keys( forms ).map( ( form ) => [ form, session.labelOf( form ) ] ), session.form, 'What the file holds.',
                ( value ) => { session.form = value; app.changed( 'form' ); } ),
            checkbox( 'Only the clip that is shown', session.onlyClip, 'All clips are baked otherwise.',
                ( isOn ) => { session.onlyClip = isOn; app.changed( 'form' ); } ),
            row( button( 'Export', 'Bakes it and hands the file to you', () => app.exports.run(), { id: 'export2', className: 'small main' } ) ),
            report, note( 'The same with the program:' ), line, row( button( 'Copy', 'Copies the command', () => app.exports.copy(),
                { id: 'copy' } ) ) );
    }

    rigPart()
    {
        const { app } = this;
        return section( 'Rig', note( 'All that was tuned and made, as the program reads it.' ),
            row( button( 'Save rig', 'The rig as a .rig.json', () => app.exports.saveRig(), { id: 'save' } ),
                button( 'Load rig…', 'A .rig.json in the place of this one', () => app.opening.pick( '.json' ), { id: 'load' } ) ) );
    }

    picturePart()
    {
        const { app } = this;
        return section( 'Pictures', note( 'What is seen now, or the whole clip as a film.' ), row( button( 'Picture', 'What is seen, as a PNG', () => app.exports.picture(), { id: 'picture' } ),
            button( 'Film', 'The clip as it is seen now, as WebM', () => app.exports.film(), { id: 'film' } ) ) );
    }
}
