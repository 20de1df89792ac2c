// Keys: what they do, and the list of them that is shown.
import { get, make } from './words.js';

const isTyping = ( { target } ) => /^(INPUT|SELECT|TEXTAREA)$/.test( target.tagName ) && ![ 'range', 'checkbox' ].includes( target.type );
/** Space and the arrows belong to what has the focus. */
const isTaken = ( { key, target } ) => ( key === ' ' && /^(BUTTON|SUMMARY|INPUT)$/.test( target.tagName ) ) || isTyping( { target } );

/** [ keys as they are written, what they do, by event.key, work ]. */
function listFor( app )
{
    const { player, looks } = app;
    return [
        [ 'Space', 'play or pause', ' ', () => get( 'play' ).click() ],
        [ ', and .', 'one frame back, one frame on', ',', () => get( 'back' ).click() ],
        [ '', '', '.', () => get( 'next' ).click() ],
        [ 'hold S', 'the skin without flesh, as the file has it', '', null ],
        [ '1 2 3 4', 'living, without flesh, split, side by side', '1', () => looks.choose( 'living' ) ],
        [ '', '', '2', () => looks.choose( 'smooth' ) ],
        [ '', '', '3', () => looks.choose( 'split' ) ],
        [ '', '', '4', () => looks.choose( 'both' ) ],
        [ 'B', 'bones, and nothing over it again', 'b', () => looks.showOver( looks.over === 'bones' ? '' : 'bones' ) ],
        [ 'W', 'weights, and nothing over it again', 'w', () => looks.showOver( looks.over === 'weights' ? '' : 'weights' ) ],
        [ 'G', 'the plot of elongations', 'g', () => looks.plot.toggle() ],
        [ 'F', 'the whole character in the picture', 'f', () => looks.frameAll() ],
        [ 'J, T, P', 'let it jump, turn; push it', 'j', () => player.jump() ],
        [ '', '', 't', () => player.turn() ],
        [ '', '', 'p', () => player.push() ],
        [ 'H, K', 'a hand that shakes it; one that pokes it', 'h', () => app.toggleTouch( 'grab' ) ],
        [ '', '', 'k', () => app.toggleTouch( 'poke' ) ],
        [ 'N, Shift+N', 'the next piece of flesh, the one before', 'n', () => app.chooseNext( 1 ) ],
        [ '', '', 'N', () => app.chooseNext( -1 ) ],
        [ 'Esc', 'put the tool down', 'Escape', () => app.setTool( null ) ],
        [ '?', 'this list', '?', () => get( 'help' ).showModal() ],
        [ 'Ctrl+O', 'open a file', 'Ctrl+o', () => app.opening.pick() ],
        [ 'Ctrl+E', 'export', 'Ctrl+e', () => app.session.isOpen && app.exports.run() ],
        [ 'Ctrl+S', 'save the rig', 'Ctrl+s', () => app.session.isOpen && app.exports.saveRig() ],
        [ 'Ctrl+Z, Ctrl+Shift+Z', 'undo, redo', 'Ctrl+z', () => app.undo() ],
        [ '', '', 'Ctrl+Shift+z', () => app.redo() ],
        [ '', '', 'Ctrl+y', () => app.redo() ],
        [ 'click, Alt+click', 'the numbers of the flesh there; poke it', '', null ],
        [ 'Shift+drag', 'shake it', '', null ],
    ];
}

export function listenToKeys( app )
{
    const list = listFor( app ), works = new Map( list.filter( ( [ , , key ] ) => key !== '' ).map( ( [ , , key, work ] ) => [ key, work ] ) );
    get( 'keylist' ).replaceChildren( ...list.filter( ( [ keys ] ) => keys !== '' ).flatMap( ( [ keys, words ] ) => [ make( 'dt',
        { textContent: keys } ), make( 'dd', { textContent: words } ) ] ) );
    window.addEventListener( 'keydown', ( event ) => {
        const isControl = event.ctrlKey || event.metaKey;
        if ( get( 'help' ).open || event.altKey || ( !isControl && isTaken( event ) ) )
        {
            return;
        }
        if ( !isControl && event.key === 's' && !event.repeat && app.session.isOpen )
        {
            app.looks.hold( true );
            return;
        }
        if ( !isControl && app.tool?.pressed?.( event ) )
        {
            return;
        }
        const work = works.get( isControl ? `Ctrl+${event.shiftKey ? 'Shift+' : ''}${event.key.toLowerCase()}` : event.key );
        const isAlways = isControl || event.key === '?';
        if ( work && ( app.session.isOpen || isAlways ) )
        {
            event.preventDefault();
            work();
        }
    } );
    const letGo = () => app.looks.held && app.looks.hold( false );
    window.addEventListener( 'keyup', ( { key } ) => key.toLowerCase() === 's' && letGo() );
    window.addEventListener( 'blur', letGo );
}
