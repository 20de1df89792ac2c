// What fails, in the library's own words.

/** The names of the library's results, by number. */
const codes = [ 'success', 'memory', 'argument', 'file', 'format', 'data', 'unsupported', 'notFound', 'limit',
    'canceled' ];

export class SuppleError extends Error
{
    /** @param {string} message @param {number|string} code */
    constructor( message, code = 'argument' )
    {
        super( message );
        this.name = 'SuppleError';
        this.code = typeof code === 'number' ? codes[code] ?? 'unknown' : code;
    }
}
