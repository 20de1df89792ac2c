// Joints chosen on the skeleton.
import { bonesOf } from '../page/looks.js';

export class JointPicker
{
    /** `changed`: told when other joints are chosen. */
    constructor( app, changed )
    {
        Object.assign( this, { app, changed, wantsJoints: true, isPicking: true, words: 'Click joints to choose them, and again to leave them out.', bones: null } );
    }

    get chosen()
    {
        return this.app.session.joints;
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
        this.changed( this.chosen.includes( name ) ? this.chosen.filter( ( one ) => one !== name ) : [ ...this.chosen, name ] );
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
