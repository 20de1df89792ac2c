// Points on the body that are placed and dragged: the action line of a muscle, the control line of wrinkles.
import { Vector3 } from 'three';
import { frameOf, jointNumber, matrixOf } from '../page/frames.js';
import { button } from '../page/words.js';

const beneath = 0.012; // how far under the skin a muscle's point is put, as a share of the size
const rounded = ( vector ) => vector.toArray().map( ( value ) => Number( value.toPrecision( 5 ) ) );

/** Points of a muscle, each in the frame of its joint at rest. */
class MuscleLine
{
    constructor( { session } )
    {
        this.info = session.info;
    }

    /** Where a point is now. */
    now( { joint, at = [ 0, 0, 0 ] }, { joints } )
    {
        const { info } = this, number = jointNumber( info.joints, joint );
        return new Vector3( ...at ).multiplyScalar( info.size ).applyMatrix4( frameOf( info.restJoints, number ) )
            .applyMatrix4( matrixOf( info.restJoints, number ).invert() ).applyMatrix4( matrixOf( joints, number ) ).toArray();
    }

    /** The point of the rig that is there now. */
    at( place, joint, { joints } )
    {
        const { info } = this, number = jointNumber( info.joints, joint );
        const rest = new Vector3( ...place ).applyMatrix4( matrixOf( joints, number ).invert() ).applyMatrix4( matrixOf( info.restJoints, number ) );
        return { joint, at: rounded( rest.applyMatrix4( frameOf( info.restJoints, number ).invert() ).multiplyScalar( 1 / info.size ) ) };
    }

    /** The bone that passes nearest to a place; where there is no bone, the nearest joint. */
    nearestBone( place, { joints } )
    {
        const point = new Vector3( ...place ), a = new Vector3(), b = new Vector3();
        const hasNone = !this.info.joints.some( ( { parent, isSkinJoint } ) => isSkinJoint && this.info.joints[parent]?.isSkinJoint );
        let best = -1, least = Infinity;
        this.info.joints.forEach( ( { parent, isSkinJoint }, i ) => {
            const isBone = isSkinJoint && this.info.joints[parent]?.isSkinJoint === true;
            if ( isBone || ( isSkinJoint && hasNone ) )
            {
                a.fromArray( joints, 12 * ( isBone ? parent : i ) + 9 );
                b.fromArray( joints, 12 * i + 9 ).sub( a );
                const along = Math.min( 1, Math.max( 0, point.clone().sub( a ).dot( b ) / Math.max( b.lengthSq(), 1e-12 ) ) );
                const far = a.addScaledVector( b, along ).distanceTo( point );
                [ best, least ] = far < least ? [ isBone ? parent : i, far ] : [ best, least ];
            }
        } );
        return this.info.joints[best].name;
    }

    placed( hit, skins )
    {
        const place = hit.point.clone().addScaledVector( hit.normal, -beneath * this.info.size ).toArray();
        return this.at( place, this.nearestBone( place, skins ), skins );
    }

    moved( point, place, _, skins )
    {
        return { ...point, ...this.at( place, point.joint, skins ) };
    }
}

/** Points of wrinkles, on the skin at rest. */
class SkinLine
{
    constructor( { session } )
    {
        this.info = session.info;
    }

    now( point, { living, smooth } )
    {
        const { rest, size } = this.info, { positions } = living ?? smooth;
        let best = 0, least = Infinity;
        for ( let v = 0; v < rest.length; v += 3 )
        {
            const far = ( rest[v] - point[0] * size ) ** 2 + ( rest[v + 1] - point[1] * size ) ** 2 + ( rest[v + 2] - point[2] * size ) ** 2;
            [ best, least ] = far < least ? [ v, far ] : [ best, least ];
        }
        return [ positions[best], positions[best + 1], positions[best + 2] ];
    }

    placed( { corners, shares } )
    {
        const { rest, size } = this.info, sum = new Vector3();
        corners.forEach( ( corner, k ) => sum.addScaledVector( new Vector3().fromArray( rest, 3 * corner ), shares[k] / size ) );
        return rounded( sum );
    }

    moved( point, _, hit )
    {
        return hit ? this.placed( hit ) : point;
    }
}

export class LineTool
{
    /** `item`: one that is there, or -1: its points are placed first. `made`: the item of such points. */
    constructor( app, { key, item = -1, made } )
    {
        Object.assign( this, { app, key, item, made, wantsJoints: true, dragged: -1, undone: [] } );
        this.kind = key === 'muscles' ? new MuscleLine( app ) : new SkinLine( app );
        this.points = item >= 0 ? structuredClone( app.session.rig[key][item].points ?? [] ) : [];
        this.name = item >= 0 ? app.session.rig[key][item].name : null;
        this.words = item >= 0 ? `Drag the points of "${this.name}".` : 'Click on the body to place points, two at least; drag them where they belong.';
    }

    marks( skins )
    {
        if ( !skins.joints || this.points.length === 0 )
        {
            return null;
        }
        const places = this.points.map( ( point ) => this.kind.now( point, skins ) );
        return { places, colors: places.map( ( _, i ) => ( i === this.dragged ? [ 1, 1, 1 ] : [ 1, 0.45, 0.2 ] ) ), pairs: places.slice( 1 ).map( ( _,
            i ) => [ i, i + 1 ] ) };
    }

    down( event )
    {
        const { app } = this, { skins } = app.player;
        if ( !skins?.joints )
        {
            return false;
        }
        const places = this.points.map( ( point ) => this.kind.now( point, skins ) );
        this.dragged = app.stage.nearest( places, event.clientX, event.clientY );
        const hit = this.dragged < 0 && this.item < 0 ? app.stage.pick( event.clientX, event.clientY ) : null;
        if ( hit )
        {
            app.player.pause();
            this.points.push( this.kind.placed( hit, skins ) );
            this.undone = [];
            this.dragged = this.points.length - 1;
        }
        this.from = { x: event.clientX, y: event.clientY };
        app.player.dirty = true;
        return this.dragged >= 0;
    }

    move( event )
    {
        const { app } = this, { skins } = app.player, to = { x: event.clientX, y: event.clientY };
        if ( this.dragged < 0 || Math.hypot( to.x - this.from.x, to.y - this.from.y ) < 2 )
        {
            return;
        }
        const point = this.points[this.dragged];
        const place = app.stage.dragged( this.kind.now( point, skins ), this.from, to );
        this.points[this.dragged] = this.kind.moved( point, place, app.stage.pick( to.x, to.y ), skins );
        this.from = to;
        this.wasDragged = true;
        app.player.dirty = true;
    }

    up()
    {
        const { wasDragged } = this;
        Object.assign( this, { dragged: -1, wasDragged: false } );
        this.app.player.dirty = true;
        if ( this.item >= 0 && wasDragged )
        {
            return this.app.edits.replace( this.key, this.item, { points: this.points } );
        }
        return null;
    }

    /** Undo took the points elsewhere. */
    renew()
    {
        const item = ( this.app.session.rig[this.key] ?? [] ).findIndex( ( { name } ) => name === this.name );
        if ( this.item >= 0 && item < 0 )
        {
            this.app.setTool( null );
        }
        else if ( this.item >= 0 )
        {
            Object.assign( this, { item, points: structuredClone( this.app.session.rig[this.key][item].points ?? [] ) } );
        }
    }

    /** Points of a line that is not made yet are taken back one by one; false: there is none. */
    undo()
    {
        const isPlacing = this.item < 0 && this.points.length > 0;
        if ( isPlacing )
        {
            this.undone.push( this.points.pop() );
            this.app.player.dirty = true;
        }
        return isPlacing;
    }

    redo()
    {
        const isPlacing = this.item < 0 && this.undone.length > 0;
        if ( isPlacing )
        {
            this.points.push( this.undone.pop() );
            this.app.player.dirty = true;
        }
        return isPlacing;
    }

    controls()
    {
        return [];
    }

    buttons()
    {
        if ( this.item >= 0 )
        {
            return [];
        }
        return [ button( 'Take back', 'Takes the last point away', () => this.undo() ),
            button( 'Make it', 'Makes it of these points', () => this.finish(), { className: 'small main' } ) ];
    }

    finish()
    {
        if ( this.points.length < 2 )
        {
            this.app.tell( 'error', 'two points at least are wanted: click on the body' );
            return null;
        }
        return this.made( this.points );
    }
}
