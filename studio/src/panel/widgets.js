// What panels are made of: sliders, choices, rows.
import { make, short, unitWords } from '../page/words.js';

/** A slider with its name, unit and words. `input` while it is moved, `done` when it is let go, `reset` back to the default. */
export function slider( { name, label, unit, words, min, max, value }, { input, done, reset } )
{
    const range = make( 'input', { type: 'range', name, min, max, step: ( max - min ) / 400, value: value ?? min,
        attributes: { 'data-field': name, 'data-words': words, 'aria-label': `${label}${unit ? `, ${unit}` : ''}` } } );
    const number = make( 'input', { type: 'number', name: `${name} number`, step: 'any', value: value === null ? '' : short( value ), placeholder: 'auto',
        attributes: { 'data-words': words, 'aria-label': `${label}, as a number` } } );
    range.addEventListener( 'input', () => { number.value = short( range.value ); input( Number( range.value ) ); } );
    range.addEventListener( 'change', () => done() );
    number.addEventListener( 'change', () => {
        if ( Number.isFinite( number.valueAsNumber ) )
        {
            range.value = number.value;
            input( number.valueAsNumber );
            done();
        }
        else
        {
            reset?.();
        }
    } );
    const name_ = make( 'span', { className: 'label', textContent: label, title: reset ? `${words} Double-click: the default.` : words } );
    name_.addEventListener( 'dblclick', () => reset?.() );
    const row = make( 'div', { className: 'slider' }, name_, range, number, make( 'span', { className: 'unit', textContent: unit === 'size' ? '× size' : unitWords( unit ) } ) );
    row.show = ( now ) => {
        if ( now !== null && ( document.activeElement !== range || Number( range.value ) !== now ) )
        {
            range.value = now;
        }
        if ( document.activeElement !== number )
        {
            number.value = now === null ? '' : short( now );
        }
    };
    return row;
}

/** A labelled row. */
export function labelled( label, words, ...inside )
{
    return make( 'label', { className: 'choice' }, make( 'span', { textContent: label, title: words } ), ...inside );
}

/** `options`: words, or [ value, words ]. */
export function choice( label, options, value, words, choose )
{
    const select = make( 'select', { name: label, attributes: { 'data-words': words } }, ...options.map( ( one ) => new Option( [ one ].flat().at( -1 ), [ one ].flat()[0] ) ) );
    select.value = value;
    select.addEventListener( 'change', () => choose( select.value ) );
    const row = labelled( label, words, select );
    row.show = ( now ) => { select.value = now; };
    return row;
}

export function checkbox( label, isOn, words, change )
{
    const box = make( 'input', { type: 'checkbox', name: label, checked: isOn, attributes: { 'data-words': words } } );
    box.addEventListener( 'change', () => change( box.checked ) );
    const row = make( 'label', { className: 'check' }, box, label );
    row.show = ( now ) => { box.checked = now; };
    return row;
}

export function textRow( label, value, words, change, { list } = {} )
{
    const input = make( 'input', { type: 'text', name: label, value, attributes: { 'data-words': words, ...( list ? { list } : {} ) } } );
    input.addEventListener( 'change', () => change( input.value.trim() ) );
    const row = labelled( label, words, input );
    row.show = ( now ) => { if ( document.activeElement !== input ) { input.value = now; } };
    return row;
}

export const section = ( title, ...inside ) => make( 'section', { className: 'part' }, make( 'h2', { textContent: title } ), ...inside );
export const note = ( text, id ) => make( 'p', { className: 'quiet', textContent: text, ...( id ? { id } : {} ) } );
export const row = ( ...inside ) => make( 'div', { className: 'row' }, ...inside );

/** Folded, and left as it was when it is built anew. */
export function folded( memory, key, title, ...inside )
{
    const details = make( 'details', { open: memory.has( key ) }, make( 'summary', { textContent: title } ), ...inside );
    details.addEventListener( 'toggle', () => memory[details.open ? 'add' : 'delete']( key ) );
    return details;
}
