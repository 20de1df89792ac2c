// What is looked at and how, which is no work and is not undone: a reload brings it back all the same.
import { get } from './words.js';

const key = 'view';

/** Keeps it when the page is left. */
export function keepViews( app )
{
    const keep = () => {
        const { session, player, looks, stage, panel } = app;
        if ( session.isOpen )
        {
            const { clip, time, speed, loop, mix, playing } = player;
            localStorage.setItem( key, JSON.stringify( { name: session.name, clip, time, speed, loop, mix, playing, look: looks.look,
                over: looks.over, isPlotted: looks.plot.isOpen, tab: panel.now, camera: stage.view, split: stage.split } ) );
        }
    };
    window.addEventListener( 'pagehide', keep );
    document.addEventListener( 'visibilitychange', () => document.visibilityState === 'hidden' && keep() );
}

/** How this character was looked at last, or null. */
export function keptView( name )
{
    try
    {
        const view = JSON.parse( localStorage.getItem( key ) );
        return view?.name === name ? view : null;
    }
    catch
    {
        return null;
    }
}

const put = ( id, value, event ) => {
    get( id ).value = value;
    get( id ).dispatchEvent( new Event( event ) );
};

export async function putView( app, view )
{
    const { session, player, looks, stage, panel } = app;
    if ( view === null || !session.clips[view.clip] )
    {
        return;
    }
    await player.choose( view.clip );
    get( 'clip' ).value = String( view.clip );
    get( 'loop' ).checked = player.loop = view.loop !== false;
    put( 'speed', view.speed, 'input' );
    if ( view.mix && session.clips[view.mix.clip] )
    {
        get( 'mixclip' ).value = String( view.mix.clip );
        put( 'mixshare', view.mix.share, 'input' );
    }
    player.seek( view.time );
    if ( view.playing )
    {
        player.start();
    }
    looks.choose( view.look );
    looks.showOver( looks.isDrawn( view.over ) ? view.over : '' );
    if ( view.isPlotted !== looks.plot.isOpen )
    {
        looks.plot.toggle();
    }
    panel.open( view.tab );
    stage.view = view.camera;
    looks.splitAt( view.split );
}
