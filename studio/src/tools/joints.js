// Joints chosen on the skeleton.
import { bonesOf } from '../page/looks.js';

export class JointPicker
{
    /** `chosen`: names; `changed`: told when they are others. */
    constructor( app, chosen, changed )
    {
        Object.assign( this, { app, chosen, changed, wantsJoints: true, isPicking: true, words: 'Click joints to choose them, and again to leave them out.', bones: null } );
    }

    marks( { joints } )
    {
        if ( !joints )
        {
            return null;
        }
        const all = this.app.session.info.joints;
        this.bones = bonesOf( all, joints, ( i ) => ( this.chosen.includes( all[i].name ) ? [ 1, 0.35, 0.2 ] : [ 0.75, 0.78, 0.84 ] ) );
        return this.bones;
    }

    down( event )
    {
        const at = this.bones ? this.app.stage.nearest( this.bones.places, event.clientX, event.clientY ) : -1;
        if ( at < 0 )
        {
            return false;
        }
        const { name } = this.app.session.info.joints[this.bones.numbers[at]];
        this.chosen = this.chosen.includes( name ) ? this.chosen.filter( ( one ) => one !== name ) : [ ...this.chosen, name ];
        this.changed( this.chosen );
        this.app.player.dirty = true;
        return true;
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
