// How far each piece of flesh is out, over the time of the clip, as a share of the most that it may be. What has been
// played is drawn as it was; where it stands still, the whole clip is worked out exactly.
import { get } from './words.js';

const count = 240;
const inset = { left: 44, right: 12, top: 12, bottom: 20 };

export class Plot
{
    constructor( app )
    {
        Object.assign( this, { app, isOpen: false, series: [], limits: [] } );
        app.on( 'rig', () => this.renew() );
        app.on( 'clip', () => this.clear() );
        app.on( 'paused', () => this.workOut() );
        app.on( 'chosen', () => this.draw() );
        new ResizeObserver( () => this.draw() ).observe( get( 'plot' ) );
    }

    toggle()
    {
        this.isOpen = !this.isOpen;
        get( 'plot' ).hidden = !this.isOpen;
        get( 'plotting' ).setAttribute( 'aria-pressed', String( this.isOpen ) );
        this.clear();
        this.app.player.dirty = true;
        if ( this.isOpen && !this.app.player.playing )
        {
            this.workOut();
        }
    }

    clear()
    {
        const { length } = this.app.edits.elements;
        this.series = Array.from( { length }, () => new Float32Array( count ).fill( NaN ) );
        this.limits = new Float32Array( length );
    }

    /** A frame that was played: two numbers for each piece. */
    add( time, states )
    {
        if ( states.length !== 2 * this.series.length )
        {
            this.clear();
        }
        const { start, end } = this.app.player.range;
        const share = end > start ? ( time - start ) / ( end - start ) : ( performance.now() / 4000 ) % 1;
        const at = Math.min( count - 1, Math.max( 0, Math.round( share * ( count - 1 ) ) ) );
        const from = this.at !== undefined && at > this.at && at - this.at < 20 ? this.at + 1 : at;
        this.series.forEach( ( values, i ) => {
            values.fill( states[2 * i], from, at + 1 );
            this.limits[i] = states[2 * i + 1];
        } );
        this.at = at;
        this.draw();
    }

    /** The rig is another: what was played is of the old one, and fades as it is played anew. */
    renew()
    {
        if ( this.series.length !== this.app.edits.elements.length )
        {
            this.clear();
        }
        this.workOut();
    }

    async workOut()
    {
        const { app } = this;
        if ( !this.isOpen || app.player.clip < 0 || app.player.playing )
        {
            return;
        }
        const { rows } = await app.engine.call( 'plot', { count } );
        if ( rows[0].length === 2 * app.edits.elements.length )
        {
            this.clear();
            rows.forEach( ( row, at ) => this.series.forEach( ( values, i ) => {
                values[at] = row[2 * i];
                this.limits[i] = row[2 * i + 1];
            } ) );
        }
        this.draw();
    }

    draw()
    {
        if ( !this.isOpen )
        {
            return;
        }
        const canvas = get( 'plotcanvas' ), ratio = window.devicePixelRatio, style = getComputedStyle( document.documentElement );
        const width = canvas.clientWidth, height = canvas.clientHeight;
        Object.assign( canvas, { width: width * ratio, height: height * ratio } );
        const g = canvas.getContext( '2d' );
        g.scale( ratio, ratio );
        g.font = '12px system-ui, sans-serif';
        const colors = { text: style.getPropertyValue( '--quiet' ), line: style.getPropertyValue( '--edge' ),
            accent: style.getPropertyValue( '--accent' ) };
        const at = { x: ( share ) => inset.left + share * ( width - inset.left - inset.right ),
            y: ( share ) => height - inset.bottom - share / 1.1 * ( height - inset.top - inset.bottom ) };
        this.drawAxes( g, at, width, colors );
        const chosen = this.app.chosen?.key === 'elements' ? this.app.chosen.item : -1;
        this.series.forEach( ( _, i ) => i !== chosen && this.drawLine( g, at, i, colors.text, 0.45 ) );
        if ( chosen >= 0 )
        {
            this.drawLine( g, at, chosen, colors.accent, 1 );
        }
        this.drawNow( g, at, height, colors );
        this.tellWorst( chosen );
    }

    drawAxes( g, at, width, colors )
    {
        g.strokeStyle = colors.line;
        g.fillStyle = colors.text;
        g.textAlign = 'right';
        for ( const share of [ 0, 0.5, 1 ] )
        {
            g.setLineDash( share === 1 ? [ 6, 4 ] : [] );
            g.beginPath();
            g.moveTo( at.x( 0 ), at.y( share ) );
            g.lineTo( at.x( 1 ), at.y( share ) );
            g.stroke();
            g.fillText( share === 1 ? 'limit' : `${100 * share}%`, inset.left - 6, at.y( share ) + 4 );
        }
        g.setLineDash( [] );
        const { start, end } = this.app.player.range;
        g.fillText( end > start ? `${( end - start ).toFixed( 2 )} s` : '', width - inset.right, at.y( 0 ) + 15 );
    }

    drawLine( g, at, i, color, alpha )
    {
        g.strokeStyle = color;
        g.globalAlpha = alpha;
        g.lineWidth = alpha === 1 ? 2 : 1;
        g.beginPath();
        let isDown = false;
        this.series[i].forEach( ( value, k ) => {
            const [ x, y ] = [ at.x( k / ( count - 1 ) ), at.y( Math.min( 1.05, value / this.limits[i] ) ) ];
            if ( Number.isFinite( y ) )
            {
                g[isDown ? 'lineTo' : 'moveTo']( x, y );
            }
            isDown = Number.isFinite( y );
        } );
        g.stroke();
        Object.assign( g, { globalAlpha: 1, lineWidth: 1 } );
    }

    drawNow( g, at, height, colors )
    {
        const { start, end } = this.app.player.range;
        const x = at.x( end > start ? ( this.app.player.time - start ) / ( end - start ) : ( this.at ?? 0 ) / ( count - 1 ) );
        g.strokeStyle = colors.accent;
        g.globalAlpha = 0.6;
        g.beginPath();
        g.moveTo( x, inset.top );
        g.lineTo( x, height - inset.bottom );
        g.stroke();
        g.globalAlpha = 1;
    }

    /** In words: of the chosen piece, or of the one that goes farthest. */
    tellWorst( chosen )
    {
        const peaks = this.series.map( ( values ) => values.reduce( ( most, value ) => ( value > most ? value : most ), 0 ) );
        const most = chosen >= 0 ? chosen : peaks.reduce( ( best, peak, i ) => ( peak / this.limits[i] > peaks[best] / this.limits[best] ? i : best ),
            0 );
        const { name } = this.app.edits.elements[most] ?? {};
        get( 'plotwords' ).textContent = name === undefined || !( this.limits[most] > 0 ) ? 'no flesh'
            : `${name}: ${( 1000 * peaks[most] ).toFixed( 0 )} mm of ${( 1000 * this.limits[most] ).toFixed( 0 )} mm (${Math.round( 100 * peaks[most] / this.limits[most] )}%)`;
    }
}
