/** Removes control characters from stored text, which could otherwise change the terminal. */

/** Direction overrides would make a row of a table appear in another order than it is. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters become their visible pictures (␛ for escape); line breaks and tabs stay. */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (character) =>
      String.fromCodePoint(0x2400 + character.charCodeAt(0)),
    )
    .replace(/\u007f/g, '\u2421')
    .replace(/[\u0080-\u009f\u2028\u2029]/g, '\ufffd')
    .replace(DIRECTION, '');
}

/** The same in one line, for a cell of a table. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** A file or a pipe gets a text exactly as it is stored, a terminal without what would drive it. */
export function storedText(text: string, { width }: { readonly width: number | undefined }): string {
  return width === undefined ? text : printable(text);
}

/** JSON in which no character can drive a terminal or turn the direction of a line; it says the same as before. */
export function escapeDriving(json: string): string {
  return json?.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
