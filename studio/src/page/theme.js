// Light and dark: as the machine has it, until somebody chooses.
import { get } from './words.js';

export function startTheme( app )
{
    const set = ( theme, isChosen ) => {
        document.documentElement.dataset.theme = theme;
        if ( isChosen )
        {
            localStorage.setItem( 'theme', theme );
        }
        get( 'theme' ).textContent = theme === 'dark' ? 'Light' : 'Dark';
        const colors = getComputedStyle( document.documentElement );
        app.stage.setColors( { ground: colors.getPropertyValue( '--stage' ).trim(), line: colors.getPropertyValue( '--grid' ).trim() } );
    };
    get( 'theme' ).addEventListener( 'click', () => set( document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark', true ) );
    set( localStorage.getItem( 'theme' ) ?? ( matchMedia( '(prefers-color-scheme: light)' ).matches ? 'light' : 'dark' ), false );
}
