// Hands for which no key has to be held: one takes hold of the character and shakes it, one pokes it. Hands (hands.js) do
// both; these tools say which of them is meant.

export class Touch
{
    /** `does`: 'grab' or 'poke'. */
    constructor( app, does )
    {
        const words = { grab: 'Drag the body to shake it. Beside the body a drag turns the camera, as ever.', poke: 'Click the body to poke it there.' };
        Object.assign( this, { app, does, words: words[does] } );
    }

    down()
    {
        return false;
    }

    move()
    {
    }

    up()
    {
    }

    controls()
    {
        return [];
    }

    buttons()
    {
        return [];
    }
}
