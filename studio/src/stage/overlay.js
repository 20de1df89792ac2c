// What is drawn over a figure: rows of lines, points and triangles as layers give them; bones; handles of tools.
import { BufferAttribute, BufferGeometry, CanvasTexture, DoubleSide, Group, LineSegments, LineBasicMaterial, Mesh, MeshStandardMaterial, Points,
    PointsMaterial } from 'three';

/** Columns of rows of floats, as an attribute of its own. */
function column( rows, width, from, count )
{
    const out = new Float32Array( rows.length / width * count );
    for ( let row = 0, at = 0; row < rows.length; row += width )
    {
        for ( let k = 0; k < count; ++k, ++at )
        {
            out[at] = rows[row + from + k];
        }
    }
    return new BufferAttribute( out, count );
}

/** Points are discs. */
function disc()
{
    const canvas = Object.assign( document.createElement( 'canvas' ), { width: 32, height: 32 } ), g = canvas.getContext( '2d' );
    g.fillStyle = '#fff';
    g.arc( 16, 16, 15, 0, 2 * Math.PI );
    g.fill();
    return new CanvasTexture( canvas );
}

function give( object, attributes )
{
    object.geometry.dispose();
    object.geometry = new BufferGeometry();
    Object.entries( attributes ).forEach( ( [ name, attribute ] ) => object.geometry.setAttribute( name, attribute ) );
    object.visible = attributes.position.count > 0;
}

export class Overlay extends Group
{
    constructor()
    {
        super();
        this.matrixAutoUpdate = false;
        const above = { depthTest: false, transparent: true };
        this.lines = new LineSegments( new BufferGeometry(), new LineBasicMaterial( { vertexColors: true, ...above } ) );
        this.points = new Points( new BufferGeometry(), new PointsMaterial( { vertexColors: true, size: 10, sizeAttenuation: false, map: disc(), alphaTest: 0.5, ...above } ) );
        this.solids = new Mesh( new BufferGeometry(), new MeshStandardMaterial( { vertexColors: true, roughness: 0.6, side: DoubleSide } ) );
        this.lines.renderOrder = 2;
        this.points.renderOrder = 3;
        for ( const one of [ this.lines, this.points, this.solids ] )
        {
            one.frustumCulled = false;
            one.visible = false;
            this.add( one );
        }
    }

    /** Rows as the package's `draw` has them. */
    put( { lines, points, corners } )
    {
        const ends = new Float32Array( lines.length / 11 * 14 );
        for ( let row = 0, at = 0; row < lines.length; row += 11, at += 14 )
        {
            ends.set( lines.subarray( row, row + 3 ), at );
            ends.set( lines.subarray( row + 6, row + 10 ), at + 3 );
            ends.set( lines.subarray( row + 3, row + 6 ), at + 7 );
            ends.set( lines.subarray( row + 6, row + 10 ), at + 10 );
        }
        give( this.lines, { position: column( ends, 7, 0, 3 ), color: column( ends, 7, 3, 4 ) } );
        give( this.points, { position: column( points, 8, 0, 3 ), color: column( points, 8, 3, 4 ) } );
        this.points.material.size = points[7] ?? 0; // those of one picture are of one size
        give( this.solids, { position: column( corners, 10, 0, 3 ), normal: column( corners, 10, 3, 3 ), color: column( corners, 10, 6, 4 ) } );
        this.solids.material.flatShading = corners.length > 0 && corners[3] === 0 && corners[4] === 0 && corners[5] === 0;
        this.solids.material.needsUpdate = true;
    }

    /** Points and lines between them: { places, colors } of points, pairs of numbers for lines. */
    putPoints( places, colors, pairs = [] )
    {
        const position = new BufferAttribute( Float32Array.from( places.flat() ), 3 );
        const color = new BufferAttribute( Float32Array.from( colors.flat() ), 3 );
        give( this.points, { position, color } );
        give( this.lines, { position: new BufferAttribute( Float32Array.from( pairs.flatMap( ( [ a, b ] ) => [ ...places[a], ...places[b] ] ) ), 3 ),
            color: new BufferAttribute( Float32Array.from( pairs.flatMap( ( [ a, b ] ) => [ ...colors[a], ...colors[b] ] ) ), 3 ) } );
    }

    empty()
    {
        this.children.forEach( ( one ) => { one.visible = false; } );
    }

    get isEmpty()
    {
        return this.children.every( ( one ) => !one.visible );
    }

    dispose()
    {
        this.children.forEach( ( one ) => { one.geometry.dispose(); one.material.dispose(); } );
        this.removeFromParent();
    }
}
