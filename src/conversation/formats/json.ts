/** Conversations as one JSON document. */
import { type ParseError, printParseErrorCode, visit } from 'jsonc-parser';
import { malformed } from './problem.ts';
import { type ConversationSnapshot, plainHead, plainMessage } from './snapshot.ts';

export function encodeJson(snapshot: ConversationSnapshot): string {
  const plain = { ...plainHead(snapshot), messages: snapshot.messages.map(plainMessage) };
  return `${escapeRareBreaks(JSON.stringify(plain, null, 2))}\n`;
}

/**
 * Parses JSON, or a piece of `source` that begins at `start`. An error names the place there, because the
 * messages of JSON.parse quote the text, which may be private.
 */
export function parseJson(text: string, source = text, start = 0): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const error = firstError(text);
    if (error === undefined) throw malformed('This is not valid JSON', source, undefined);
    const reason = printParseErrorCode(error.error).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    throw malformed(`This is not valid JSON:${reason}`, source, start + error.offset);
  }
}

/** Characters that some readers take for the end of a line or cannot show; valid only inside of strings, so escapable. */
export function escapeRareBreaks(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function firstError(text: string): Pick<ParseError, 'error' | 'offset'> | undefined {
  let first: Pick<ParseError, 'error' | 'offset'> | undefined;
  try {
    visit(
      text,
      {
        onError: (error, offset) => {
          first ??= { error, offset };
        },
      },
      { disallowComments: true },
    );
  } catch {
    // The second parser recurses and gives up on texts that are nested very deeply.
  }
  return first;
}
