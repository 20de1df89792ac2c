// Best and median of many runs of a function, the first ones skipped.
export function measure( row, run )
{
    for ( let i = 0; i < 30; ++i ) run();
    const samples = [];
    for ( let i = 0; i < 300; ++i ) {
        const start = process.hrtime.bigint();
        run();
        samples.push( Number( process.hrtime.bigint() - start ) / row.count );
    }
    samples.sort( ( a, b ) => a - b );
    const { scene, what, path, per } = row;
    return { scene, what, path, bestNs: samples[0], medianNs: samples[samples.length >> 1], per, versus: null, ratio: null };
}
