// Every change of the rig, one after the other, and undo of all of them.
import { History } from './history.js';
import { mirrored } from './mirror.js';
import { otherSide, regionsOf } from './regions.js';
import { tell, tried } from './words.js';

/** Pieces may be called anything, "constructor" too. */
const numberOf = ( list, name ) => ( Object.hasOwn( list, name ) ? list[name] : undefined );

/** What a rig has; of a text that is none the simulation says what is wrong with it. */
function keysOf( text )
{
    try
    {
        return Object.keys( JSON.parse( text ) );
    }
    catch
    {
        return null;
    }
}

export class Edits
{
    constructor( app )
    {
        this.app = app;
        this.queue = Promise.resolve();
        this.newest = 0;
        this.history = new History( () => app.changed( 'history' ) );
    }

    get elements()
    {
        return this.app.session.rig.elements ?? [];
    }

    // --------------------------------------------------------------------------------------------------------------
    // To the simulation and back

    /** Work that waits for what was asked before it. */
    then( work )
    {
        this.queue = this.queue.then( () => tried( work ) );
        return this.queue;
    }

    take( described )
    {
        this.app.session.take( described );
        this.app.changed( 'rig' );
    }

    /** Numbers under way: of many that wait only the last is shown. */
    send( edits )
    {
        const { session, engine } = this.app;
        const own = ++this.newest;
        session.edited = true;
        return this.then( async () => {
            let described = null;
            for ( const edit of edits )
            {
                described = await engine.call( 'set', edit );
            }
            if ( described && own === this.newest )
            {
                this.take( described );
            }
            else if ( described )
            {
                session.take( described );
            }
        } );
    }

    /** An edit that compiles; it ends up in the history by itself. */
    compile( name, data, { brings = false } = {} )
    {
        const { session, engine, opening } = this.app;
        return this.then( async () => {
            const { rig, text } = session;
            const words = brings ? 'This takes some seconds…' : '';
            const late = setTimeout( () => tell( 'busy', words || 'The rig is made anew…' ), words ? 0 : 250 );
            try
            {
                const described = await opening.patiently( () => engine.change( name, data, { rig, text, brings } ) );
                session.edited = true;
                this.take( described );
                this.keep();
                return described;
            }
            finally
            {
                clearTimeout( late );
            }
        } );
    }

    keep()
    {
        this.history.keep( this.app.session.state );
    }

    /** A drag has ended: one step of undo. */
    done()
    {
        this.queue = this.queue.then( () => this.keep() );
        return this.queue;
    }

    /** One step back, or on. */
    go( by )
    {
        return this.then( async () => {
            const kept = this.history.peek( by );
            if ( kept )
            {
                await this.bring( kept );
                this.history.go( by );
            }
        } );
    }

    /** What is open becomes as it was kept: the character, if it was another, more motion, and the rig. */
    async bring( kept )
    {
        const { session, opening, engine } = this.app, { document } = session;
        let described;
        if ( kept.document !== document )
        {
            const isSame = kept.document.source === document.source;
            described = await ( isSame ? opening.putMotions( kept.document, kept.text ) : opening.show( kept.document, kept.text ) );
        }
        else
        {
            const isRig = kept.text !== session.text || kept.proposal !== session.proposal;
            described = await ( isRig ? this.setText( kept.text, kept.proposal ) : engine.call( 'described' ) );
        }
        Object.assign( session, kept );
        this.take( { ...described, proposal: kept.proposal, text: kept.text } );
        this.app.changed( 'joints' );
        opening.tellFound();
    }

    /** A whole rig in the place of this one. */
    setText( text, proposal = null )
    {
        const { session, engine } = this.app;
        const isSmall = JSON.stringify( Object.keys( session.rig ) ) === JSON.stringify( keysOf( text ) );
        return engine.change( 'setRig', { text, proposal }, { rig: session.rig, text: session.text, brings: !isSmall } );
    }

    loadRig( text )
    {
        return this.then( async () => {
            const described = await this.setText( text );
            Object.assign( this.app.session, { masters: {}, bases: {}, muted: {}, edited: true } );
            this.take( described );
            this.keep();
        } );
    }

    // --------------------------------------------------------------------------------------------------------------
    // Fields

    /** Whether a field changes in place; "points[2].stiffness" is one of an object in a list. */
    isLive( key, name )
    {
        const [ , list, own ] = name.match( /^(\w+)\[\d+\]\.(\w+)$/ ) ?? [ '', null, name ];
        const { fields = [] } = this.app.session.layers.find( ( layer ) => layer.key === key ) ?? {};
        const among = list === null ? fields : fields.find( ( field ) => field.name === list )?.fields ?? [];
        return among.find( ( field ) => field.name === own )?.live === true;
    }

    /** Fields of an item; `undefined` takes one back to its default. Live numbers at once, all else is compiled. */
    set( key, item, fields )
    {
        const { session } = this.app;
        const isQuick = Object.entries( fields ).every( ( [ name, value ] ) => typeof value === 'number' && this.isLive( key, name ) );
        if ( key === 'elements' && 'amount' in fields )
        {
            const { name } = this.elements[item];
            const { [name]: gone, ...muted } = session.muted;
            const region = this.regionOf( item );
            Object.assign( session, { muted, bases: { ...session.bases, [name]: fields.amount / ( numberOf( session.masters, region ) || 1 ) } } );
        }
        return isQuick ? this.send( [ { key, item, fields } ] ) : this.replace( key, item, fields );
    }

    replace( key, item, fields )
    {
        const value = { ...this.app.session.rig[key][item], ...fields };
        Object.keys( value ).forEach( ( name ) => value[name] === undefined && delete value[name] );
        return this.compile( 'put', { key, item, value } );
    }

    add( key, value )
    {
        return this.compile( 'put', { key, item: -1, value }, { brings: ![ 'elements', 'modes', 'volumes' ].includes( key ) } );
    }

    remove( key, item )
    {
        return this.compile( 'put', { key, item, value: null } );
    }

    // --------------------------------------------------------------------------------------------------------------
    // Regions

    regionOf( item )
    {
        const { session } = this.app;
        return regionsOf( this.elements, session.proposal ).find( ( { elements } ) => elements.includes( item ) )?.name;
    }

    amountOf( item )
    {
        return this.elements[item].amount ?? 1;
    }

    /** Times the amount that every piece of a region has by itself. */
    master( { name, elements }, value )
    {
        const { session } = this.app;
        const bases = { ...session.bases };
        for ( const i of elements )
        {
            const own = this.elements[i].name;
            bases[own] = numberOf( bases, own ) ?? this.amountOf( i ) / ( numberOf( session.masters, name ) || 1 );
        }
        Object.assign( session, { bases, masters: { ...session.masters, [name]: value } } );
        const open = elements.filter( ( i ) => !Object.hasOwn( session.muted, this.elements[i].name ) );
        return this.send( open.map( ( item ) => ( { key: 'elements', item, fields: { amount: bases[this.elements[item].name] * value } } ) ) );
    }

    /** Off, and on again as it was. */
    mute( items, isMuted )
    {
        const { session } = this.app;
        const muted = { ...session.muted }, edits = [];
        for ( const item of items )
        {
            const { name } = this.elements[item];
            if ( isMuted && !Object.hasOwn( muted, name ) )
            {
                muted[name] = this.amountOf( item );
                edits.push( { key: 'elements', item, fields: { amount: 0 } } );
            }
            else if ( !isMuted && Object.hasOwn( muted, name ) )
            {
                edits.push( { key: 'elements', item, fields: { amount: muted[name] } } );
                delete muted[name];
            }
        }
        session.muted = muted;
        this.send( edits );
        return this.done();
    }

    isSolo( item )
    {
        const { muted } = this.app.session;
        return this.elements.length > 1 && this.elements.every( ( { name }, i ) => Object.hasOwn( muted, name ) === ( i !== item ) );
    }

    /** This one alone; a second time all as before. */
    solo( item )
    {
        const all = this.elements.map( ( _, i ) => i );
        if ( this.isSolo( item ) )
        {
            return this.mute( all, false );
        }
        this.mute( [ item ], false );
        return this.mute( all.filter( ( i ) => i !== item ), true );
    }

    // --------------------------------------------------------------------------------------------------------------
    // From one to another

    /** The same piece on the other side, or -1. */
    other( key, item )
    {
        const { rig } = this.app.session;
        const name = otherSide( rig[key]?.[item]?.name ?? '' );
        return name === null ? -1 : rig[key].findIndex( ( one ) => one.name === name );
    }

    /** The other side becomes as this one; where there is none it is made. */
    mirror( key, item )
    {
        const { session } = this.app;
        const value = mirrored( session, key, item );
        const to = session.rig[key].findIndex( ( { name } ) => name === value.name );
        return this.compile( 'put', { key, item: to, value } );
    }

    /** The numbers of a piece, for others. */
    copy( key, item )
    {
        const { session } = this.app;
        const names = session.layers.find( ( layer ) => layer.key === key ).fields.filter( ( { live } ) => live ).map( ( { name } ) => name );
        const source = session.rig[key][item];
        session.copied = { key, name: source.name, fields: Object.fromEntries( names.filter( ( name ) => name in source ).map( ( name ) => [ name,
            source[name] ] ) ) };
        this.app.changed( 'copied' );
    }

    paste( item )
    {
        const { key, fields } = this.app.session.copied;
        this.set( key, item, fields );
        return this.done();
    }

    // --------------------------------------------------------------------------------------------------------------
    // Found anew

    /** What was read wrongly, put right; a preset. */
    propose( changes )
    {
        const { session, engine } = this.app;
        return this.then( async () => {
            tell( 'busy', 'The flesh is found anew…' );
            const options = { ...session.options, ...changes };
            const { rig, text } = session;
            const described = await engine.change( 'propose', { options }, { rig, text } );
            const hasMore = Object.entries( described.rig ).some( ( [ key,
                list ] ) => key !== 'elements' && Array.isArray( list ) && list.length > 0 );
            Object.assign( session, { options, masters: {}, bases: {}, muted: {}, edited: session.isInside || hasMore } );
            this.take( described );
            this.keep();
        } ).then( () => this.app.changed( 'proposed' ) );
    }

    region( name, isOn )
    {
        const without = ( this.app.session.options.without ?? [] ).filter( ( one ) => one !== name );
        return this.propose( { without: isOn ? without : [ ...without, name ] } );
    }

    /** Muscles or fat, found by itself. */
    deepen( what )
    {
        return this.compile( 'deepen', what, { brings: true } ).then( ( done ) => done && this.app.looks.showOver( what.fat ? 'fat' : 'muscles' ) );
    }
}
