// A bake beside the page: the package's own, in a worker that the page's build knows.
import { bake } from 'supple';
import { fileOf } from '../page/files.js';

onmessage = async ( { data: { bytes, options, files } } ) => {
    try
    {
        let told = 0;
        const readFile = ( uri ) => fileOf( files, uri );
        const baked = await bake( bytes, { ...options, readFile }, { onProgress: ( progress ) => {
            if ( performance.now() - told > 50 )
            {
                told = performance.now();
                postMessage( { progress } );
            }
        } } );
        postMessage( baked );
    }
    catch ( error )
    {
        postMessage( { failure: error.message } );
    }
};
