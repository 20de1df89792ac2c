// What is open: a character, its rig, and what was chosen for it.
import { quoted } from './words.js';

/** What exports may be: the words of the program, and how the file is called. */
export const forms = {
    joints: { label: 'GLB, helper joints', ending: '.living.glb', options: {}, words: [] },
    morphs: { label: 'GLB, morph targets', ending: '.living.glb', options: { as: 'morphs' }, words: [ '--as', 'morphs' ] },
    live: { label: 'GLB, live joints', ending: '.live.glb', options: { live: true }, words: [ '--live' ] },
    pc2: { label: 'Point cache, PC2', ending: '.pc2', options: { format: 'pc2' }, words: [] },
    mdd: { label: 'Point cache, MDD', ending: '.mdd', options: { format: 'mdd' }, words: [] },
};

export class Session
{
    constructor()
    {
        Object.assign( this, { document: null, info: null, rig: {}, text: '', proposal: null, options: {}, masters: {}, bases: {}, muted: {},
            joints: [], edited: false, isInside: false, report: [], form: 'joints', onlyClip: false, copied: null } );
    }

    get isOpen()
    {
        return this.info !== null;
    }

    get name()
    {
        return this.document?.name ?? '';
    }

    get motions()
    {
        return this.document?.motions ?? [];
    }

    get stem()
    {
        return this.name.replace( /\.[^.]*$/, '' );
    }

    /** Of the file that an export makes: a VRM stays one. */
    get ending()
    {
        const { ending } = forms[this.form];
        return /\.vrm$/i.test( this.name ) ? ending.replace( /glb$/, 'vrm' ) : ending;
    }

    /** Whether the rig has anything that moves skin. */
    get hasFlesh()
    {
        return Object.entries( this.rig ).some( ( [ key, list ] ) => key !== 'gravity' && Array.isArray( list ) && list.length > 0 );
    }

    /** What an export is called: a form with the name of the file's kind. */
    labelOf( form )
    {
        return /\.vrm$/i.test( this.name ) ? forms[form].label.replace( 'GLB', 'VRM' ) : forms[form].label;
    }

    get clips()
    {
        return this.info?.clips ?? [];
    }

    get layers()
    {
        return this.info?.layers ?? [];
    }

    /** Starts anew with a character that was opened. */
    start( document, info )
    {
        Object.assign( this, { document, info, options: {}, masters: {}, bases: {}, muted: {}, joints: [], report: [],
            isInside: info.isInside, edited: info.isInside, copied: null } );
        this.take( info );
    }

    /** The rig as the simulation has it now. */
    take( { rig, text, proposal, elements, items } )
    {
        Object.assign( this, { rig, text, proposal, items, made: elements } );
    }

    /** What undo keeps: plain values. */
    get state()
    {
        const { document, text, options, masters, bases, muted, joints, edited, isInside, proposal } = this;
        return { document, text, options, masters, bases, muted, joints, edited, isInside, proposal };
    }

    /** What the program would be told to do the same. */
    command( clip )
    {
        const { options, form, stem } = this;
        const rig = this.edited ? [ '--rig', `${stem}.rig.json` ] : [ ...( options.preset ? [ '--preset', options.preset ] : [] ),
            ...( options.kind ? [ '--kind', options.kind ] : [] ), ...( options.front ? [ '--front', options.front ] : [] ), ...( options.up ? [ '--up', options.up ] : [] ),
            ...( options.without?.length ? [ '--without', options.without.join( ',' ) ] : [] ) ];
        const words = [ ...rig, ...this.motions.flatMap( ( { name } ) => [ '--motion', name ] ),
            ...( this.onlyClip && clip ? [ '--clip', clip.name ] : [] ), ...forms[form].words ];
        return [ 'supple', 'bake', this.name, stem + this.ending, ...words ].map( quoted ).join( ' ' );
    }

    /** The same for the package. */
    bakeOptions( clip )
    {
        return { ...( this.edited ? { rig: this.text } : this.options ), name: this.name, motions: this.motions,
            ...( this.ending.endsWith( 'vrm' ) ? { format: 'vrm' } : {} ),
            ...( this.onlyClip && clip ? { clips: clip.name } : {} ), ...forms[this.form].options };
    }
}
