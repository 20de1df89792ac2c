// Hands on the character: choose, poke, shake; or whatever the tool does that is in them.
import { tried } from '../page/words.js';

const still = 4; // pixels that a click may move

export class Hands
{
    constructor( app )
    {
        Object.assign( this, { app, pressed: null, grabbed: null, isTool: false } );
        const { canvas } = app.stage;
        canvas.addEventListener( 'pointerdown', ( event ) => this.down( event ), true );
        window.addEventListener( 'pointermove', ( event ) => this.move( event ) );
        window.addEventListener( 'pointerup', ( event ) => this.up( event ) );
        window.addEventListener( 'pointercancel', ( event ) => this.up( event ) );
    }

    down( event )
    {
        const { app } = this;
        if ( !app.session.isOpen || event.button !== 0 )
        {
            return;
        }
        this.pressed = [ event.clientX, event.clientY ];
        this.isTool = app.tool?.down( event ) === true;
        const isGrabbing = app.tool?.does === 'grab' && app.stage.pick( event.clientX, event.clientY ) !== null;
        if ( !this.isTool && ( event.shiftKey || isGrabbing ) )
        {
            this.grabbed = this.pressed;
            app.player.start();
        }
        app.stage.controls.enabled = !this.isTool && this.grabbed === null;
    }

    move( event )
    {
        if ( this.isTool )
        {
            this.app.tool?.move( event );
        }
        else if ( this.grabbed )
        {
            const { size } = this.app.session.info, aside = this.app.stage.aside();
            const x = ( event.clientX - this.grabbed[0] ) / 500 * size, y = ( this.grabbed[1] - event.clientY ) / 500 * size;
            this.app.player.motion.target = [ aside.x * x, y, aside.z * x ];
        }
    }

    up( event )
    {
        const { app } = this;
        if ( this.isTool )
        {
            tried( () => app.tool?.up( event ) );
        }
        else if ( this.pressed && !this.grabbed && Math.hypot( event.clientX - this.pressed[0], event.clientY - this.pressed[1] ) < still )
        {
            tried( () => this.touch( event ) );
        }
        app.player.motion.target = [ 0, 0, 0 ];
        app.stage.controls.enabled = true;
        Object.assign( this, { pressed: null, grabbed: null, isTool: false } );
    }

    /** A click on the body chooses the piece of flesh there; with Alt it pokes it. */
    async touch( event )
    {
        const { app } = this;
        const hit = app.stage.pick( event.clientX, event.clientY );
        if ( !hit )
        {
            return;
        }
        const { item } = await app.engine.call( 'pieceAt', { vertex: hit.vertex } );
        if ( event.altKey || app.tool?.does === 'poke' )
        {
            app.player.start();
            const point = hit.point.applyMatrix4( app.stage.figures[0].matrix ).toArray();
            await app.engine.call( 'push', { item: item < 0 ? null : item, speed: hit.way.map( ( v ) => v * 0.6 * app.session.info.size ), point } );
        }
        else if ( item >= 0 )
        {
            app.choose( { key: 'elements', item } );
        }
    }
}
