/** Conversations as one JSON document. */
import { type ParseError, printParseErrorCode, visit } from 'jsonc-parser';
import { malformed } from './problem.ts';
import { type ConversationSnapshot, plainHead, plainMessage } from './snapshot.ts';

export function encodeJson(snapshot: ConversationSnapshot): string {
  const plain = { ...plainHead(snapshot), messages: snapshot.messages.map(plainMessage) };
  return `${escapeRareBreaks(JSON.stringify(plain, null, 2))}\n`;
}

/** Parses JSON; what is wrong is told by position, because JSON.parse quotes the text, which may be private. */
export function parseJson(text: string, what = 'This is not valid JSON'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const error = firstError(text);
    throw malformed(
      error === undefined ? what : `${what}: ${printParseErrorCode(error.error)}`,
      text,
      error?.offset,
    );
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
