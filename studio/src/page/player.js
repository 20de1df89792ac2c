// Playing: the clip, time, speed; what another clip adds; where the character stands; and the frames that come of it.
import { get, tell } from './words.js';

const rate = 30; // of frame steps
const mostBeside = 40; // milliseconds a frame, at least, while a rig is made anew beside it
const playIcon = 'M3 1l11 7-11 7z', pauseIcon = 'M3 2h4v12H3zM9 2h4v12H9z';

/** Blender writes "AnimalArmature|Gallop": what all begin with is left out. */
function shortNames( names )
{
    const start = names[0]?.match( /^[^|]+\|/ )?.[0] ?? '';
    return names.map( ( name ) => ( start !== '' && names.every( ( one ) => one.startsWith( start ) && one.length > start.length )
        ? name.slice( start.length ) : name ) );
}

export class Player
{
    constructor( app )
    {
        Object.assign( this, { app, playing: false, time: 0, clip: -1, speed: 1, loop: true, mix: null, dirty: true, skins: null, shown: null } );
        this.motion = { jump: 0, turn: 0, shake: [ 0, 0, 0 ], target: [ 0, 0, 0 ] };
        this.last = performance.now();
        this.asking = false;
        this.listen();
        requestAnimationFrame( ( now ) => this.frame( now ) );
    }

    listen()
    {
        get( 'play' ).addEventListener( 'click', () => ( this.playing ? this.pause() : this.start() ) );
        get( 'back' ).addEventListener( 'click', () => this.seek( this.time - 1 / rate ) );
        get( 'next' ).addEventListener( 'click', () => this.seek( this.time + 1 / rate ) );
        get( 'time' ).addEventListener( 'input', ( { target } ) => this.seek( Number( target.value ) ) );
        get( 'speed' ).addEventListener( 'input', ( { target } ) => {
            this.speed = Number( target.value );
            get( 'speedout' ).textContent = `${this.speed.toFixed( 2 )}×`;
        } );
        get( 'loop' ).addEventListener( 'change', ( { target } ) => { this.loop = target.checked; } );
        get( 'clip' ).addEventListener( 'change', ( { target } ) => this.app.tried( () => this.choose( Number( target.value ) ) ) );
        get( 'mixclip' ).addEventListener( 'change', () => this.setMix() );
        get( 'mixshare' ).addEventListener( 'input', () => this.setMix() );
    }

    get range()
    {
        return this.app.session.clips[this.clip] ?? { start: 0, end: 0 };
    }

    /** A character was opened. */
    open( info )
    {
        Object.assign( this, { clip: info.clip, time: info.clips[info.clip]?.start ?? 0, playing: true, skins: null, mix: null, dirty: true } );
        Object.assign( this.motion, { jump: 0, turn: 0, shake: [ 0, 0, 0 ], target: [ 0, 0, 0 ] } );
        const names = shortNames( info.clips.map( ( { name } ) => name ) );
        const options = () => names.map( ( name, i ) => new Option( name || `clip ${i + 1}`, i ) );
        get( 'clip' ).replaceChildren( ...( names.length > 0 ? options() : [ new Option( 'none', '-1' ) ] ) );
        get( 'clip' ).value = String( info.clip );
        get( 'mixclip' ).replaceChildren( new Option( 'none', '-1' ), ...options() );
        get( 'mixing' ).hidden = info.clips.length < 2;
        get( 'mixshare' ).hidden = true;
        this.showTransport();
        if ( info.clips.length === 0 )
        {
            this.jump(); // a file without motion moves all the same
        }
    }

    async choose( clip )
    {
        Object.assign( this, { clip, time: this.app.session.clips[clip].start } );
        get( 'clip' ).value = String( clip ); // motion that was dropped is chosen by no hand
        const { framed } = await this.app.engine.call( 'setClip', { clip } );
        Object.assign( this.app.session.info, { framed } );
        this.app.looks.frameAgain();
        this.dirty = true;
        this.app.changed( 'clip' );
        this.showTransport();
    }

    setMix()
    {
        const clip = Number( get( 'mixclip' ).value );
        this.mix = clip < 0 ? null : { clip, share: Number( get( 'mixshare' ).value ) };
        get( 'mixshare' ).hidden = clip < 0;
        this.dirty = true;
    }

    // --------------------------------------------------------------------------------------------------------------
    // Transport

    start()
    {
        this.playing = true;
        this.showTransport();
    }

    pause()
    {
        Object.assign( this, { playing: false, dirty: true } );
        this.showTransport();
        this.app.changed( 'paused' );
    }

    seek( time )
    {
        const { start, end } = this.range, wasPlaying = this.playing;
        Object.assign( this, { playing: false, time: Math.min( Math.max( time, start ), end ), dirty: true } );
        this.showTransport();
        if ( wasPlaying )
        {
            this.app.changed( 'paused' );
        }
    }

    showTransport()
    {
        const { start, end } = this.range, { isOpen } = this.app.session;
        const hasClip = isOpen && end > start;
        get( 'play' ).querySelector( 'path' ).setAttribute( 'd', this.playing ? pauseIcon : playIcon );
        get( 'play' ).setAttribute( 'aria-label', this.playing ? 'Pause' : 'Play' );
        [ 'play', 'export', 'motion' ].forEach( ( id ) => { get( id ).disabled = !isOpen; } );
        [ 'clip', 'time', 'back', 'next', 'mixclip' ].forEach( ( id ) => { get( id ).disabled = !hasClip; } );
        get( 'time' ).min = start;
        get( 'time' ).max = end > start ? end : start + 1;
        this.showClock();
    }

    showClock()
    {
        const { start, end } = this.range;
        const hasClip = end > start, text = hasClip ? `${( this.time - start ).toFixed( 2 )} / ${( end - start ).toFixed( 2 )} s` : this.app.session.isOpen ? 'no motion' : '';
        get( 'time' ).value = hasClip ? this.time : 0;
        get( 'time' ).setAttribute( 'aria-valuetext', text );
        get( 'clock' ).textContent = text;
    }

    // --------------------------------------------------------------------------------------------------------------
    // Where it stands

    jump()
    {
        this.motion.jump = 1;
        this.start();
    }

    turn()
    {
        this.motion.turn = 1;
        this.start();
    }

    push()
    {
        this.start();
        return this.app.engine.call( 'push', { speed: [ 0.6, 0.3, 0.6 ] } );
    }

    /** Jumps, turns, and the hand that shakes it. */
    worldAfter( dt )
    {
        const { motion } = this, { size } = this.app.session.info;
        motion.jump = Math.max( 0, motion.jump - dt / 0.7 );
        motion.turn = Math.max( 0, motion.turn - dt / 0.9 );
        const up = motion.jump > 0 ? 4 * motion.jump * ( 1 - motion.jump ) * 0.25 * size : 0;
        const turn = 1 - motion.turn, angle = motion.turn > 0 ? 2 * Math.PI * turn * turn * ( 3 - 2 * turn ) : 0;
        motion.shake = motion.shake.map( ( value, i ) => value + ( motion.target[i] - value ) * Math.min( 1, dt * 18 ) );
        const [ c, s ] = [ Math.cos( angle ), Math.sin( angle ) ];
        return [ c, 0, -s, 0, 1, 0, s, 0, c, motion.shake[0], motion.shake[1] + up, motion.shake[2] ];
    }

    // --------------------------------------------------------------------------------------------------------------
    // Frames

    advance( dt )
    {
        const { start, end } = this.range, length = end - start;
        this.time += dt;
        if ( length > 0 && this.time > end )
        {
            if ( this.loop )
            {
                this.time = start + ( this.time - start ) % length;
            }
            else
            {
                this.seek( end );
            }
        }
    }

    frame( now )
    {
        requestAnimationFrame( ( next ) => this.frame( next ) );
        const dt = Math.min( ( now - this.last ) / 1000, 0.1 ) * this.speed;
        const isLate = !this.app.engine.isMaking || now - this.last >= mostBeside;
        if ( isLate && this.app.session.isOpen && !this.asking && !this.app.isFilming && ( this.playing || this.dirty ) )
        {
            this.last = now;
            if ( this.playing )
            {
                this.advance( dt );
            }
            this.ask( this.playing ? dt : 0 ).catch( ( error ) => tell( 'error', error.message ) );
            this.showClock();
        }
        if ( !this.playing )
        {
            this.last = now;
        }
        this.app.stage.draw();
    }

    /** One frame is one call: the next is asked for when this one is there. */
    async ask( dt )
    {
        const { app, playing, time, mix } = this, { info } = app.session;
        const world = this.worldAfter( dt ), began = performance.now(), wants = app.looks.wants();
        this.dirty = false;
        this.asking = true;
        try
        {
            const skins = await app.engine.call( 'show', { time, dt, playing, mix, world, wants } );
            if ( info === app.session.info )
            {
                const simulated = app.engine.ms, from = performance.now();
                this.skins = skins;
                app.looks.put( skins, world );
                this.shown = { time, playing, frames: ( this.shown?.frames ?? 0 ) + 1, wait: performance.now() - began, simulated,
                    page: performance.now() - from };
                this.showCost();
            }
        }
        finally
        {
            this.asking = false;
        }
    }

    /** Twice a second, of the frames in between: numbers that run are not read. */
    showCost()
    {
        this.costs ??= [];
        this.costs.push( this.shown );
        if ( performance.now() - ( this.costAt ?? 0 ) > 500 )
        {
            const mean = ( name ) => this.costs.reduce( ( sum, one ) => sum + one[name], 0 ) / this.costs.length;
            get( 'cost' ).textContent = `${mean( 'simulated' ).toFixed( 1 )} ms simulation, ${mean( 'page' ).toFixed( 1 )} ms page a frame`;
            Object.assign( this, { costs: [], costAt: performance.now() } );
        }
    }
}
