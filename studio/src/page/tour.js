// Two minutes through the page: a card beside what it speaks of. The page goes on working meanwhile.
import { get } from './words.js';

/** [ what it stands beside, title, words, what is done first ]. */
const steps = [
    [ 'view', 'A character, alive', 'Drop a .glb, .vrm or .gltf anywhere, or try a built-in one. It plays at once, and its flesh is found by itself. Drag turns the camera, the wheel comes closer.' ],
    [ 'found', 'What was found', 'This line says what kind of body it is, and how sure that is. Where it is wrong, put kind and front right in the panel: one click each.', 'tune' ],
    [ 'look', 'With and without', 'Hold S for the skin as the file has it. Split and side by side compare; Over it shows weights, springs, bones and whatever layers the rig has.' ],
    [ 'panel', 'Tune', '“All of …” is one slider for a region. Beneath it is each piece with its numbers. Click the body to get to the piece there. Motion goes on meanwhile, and Ctrl+Z takes everything back.', 'tune' ],
    [ 'movebar', 'Touch it', 'Jump, turn and push, or Shift and drag to shake it, Alt and click to poke it. So a file with no clip moves, too.' ],
    [ 'transport', 'Time', 'Play, step and scrub. A time looks the same however you came to it. Blend adds a second clip, and dropping a .bvh brings more motion.' ],
    [ 'tab-make', 'Make', 'New flesh by joints and brush, muscles by points on the body, correctives by sculpting a pose, wrinkles by a line, clothes by choosing a mesh.', 'make' ],
    [ 'export', 'Keep', 'Export gives a file that plays everywhere, the same to the byte as the program’s. Under Keep are other forms, the rig, pictures, films, and the command that does the same.', 'keep' ],
];

export class Tour
{
    constructor( app )
    {
        Object.assign( this, { app, at: -1 } );
        get( 'tour' ).addEventListener( 'click', () => this.show( 0 ) );
        get( 'tournext' ).addEventListener( 'click', () => this.show( this.at + 1 ) );
        get( 'tourback' ).addEventListener( 'click', () => this.show( this.at - 1 ) );
        get( 'tourend' ).addEventListener( 'click', () => this.end() );
        get( 'tourcard' ).addEventListener( 'keydown', ( event ) => {
            if ( event.key === 'Escape' )
            {
                event.stopPropagation();
                this.end();
            }
        } );
        window.addEventListener( 'resize', () => this.at >= 0 && this.place() );
    }

    show( at )
    {
        if ( at >= steps.length )
        {
            this.end();
            return;
        }
        const [ , title, words, tab ] = steps[at];
        this.at = at;
        if ( tab )
        {
            this.app.panel.open( tab );
        }
        get( 'tourtitle' ).textContent = title;
        get( 'tourwords' ).textContent = words;
        get( 'tourcount' ).textContent = `${at + 1} of ${steps.length}`;
        get( 'tourback' ).disabled = at === 0;
        get( 'tournext' ).textContent = at === steps.length - 1 ? 'Done' : 'Next';
        get( 'tourcard' ).hidden = false;
        this.place();
        get( 'tournext' ).focus();
    }

    /** Beside its subject, and inside the window. */
    place()
    {
        document.querySelectorAll( '.toured' ).forEach( ( one ) => one.classList.remove( 'toured' ) );
        const card = get( 'tourcard' ), own = get( steps[this.at][0] );
        const subject = own.offsetParent === null ? get( 'view' ) : own;
        subject.classList.add( 'toured' );
        const box = subject.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = card;
        const isLarge = box.width > innerWidth / 2 && box.height > innerHeight / 2;
        const x = isLarge ? box.left + ( box.width - width ) / 2 : box.left > innerWidth / 2 ? Math.min( box.right - width,
            box.left - ( box.height > 200 ? width + 12 : 0 ) ) : box.left;
        const y = isLarge ? box.top + 60 : box.height > 200 ? box.top + 40 : box.top > innerHeight / 2 ? box.top - height - 12 : box.bottom + 12;
        card.style.left = `${Math.max( 12, Math.min( innerWidth - width - 12, x ) )}px`;
        card.style.top = `${Math.max( 12, Math.min( innerHeight - height - 12, y ) )}px`;
    }

    end()
    {
        this.at = -1;
        get( 'tourcard' ).hidden = true;
        document.querySelectorAll( '.toured' ).forEach( ( one ) => one.classList.remove( 'toured' ) );
        get( 'tour' ).focus();
    }
}
