/** Reads UTF-8 text from stdin, up to a limit. */
import { KeepsakeError } from '../../kernel/errors.ts';

interface StdinLimit {
  readonly megabytes: number;
  readonly hint: string;
}

/** Above any limit of a verb, so that its own error names that limit; below what would fill the memory. */
const A_TEXT: StdinLimit = {
  megabytes: 16,
  hint: 'A memory is something to know, not a document; split it.',
};

export async function readStdin(note: (text: string) => void, most: StdinLimit = A_TEXT): Promise<string> {
  if (process.stdin.isTTY) note('Type the text; Ctrl-D on an empty line ends it.');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > most.megabytes * 1024 * 1024) {
      throw new KeepsakeError('TOO_LARGE', `stdin has more than ${most.megabytes} MB.`, {
        hint: most.hint,
      });
    }
  }
  // The last line break belongs to the pipe ("echo"), not to the text.
  return decodeText(Buffer.concat(chunks), 'What came in on stdin').replace(/\r?\n$/, '');
}

/** UTF-8, or a sentence that says what is not. */
export function decodeText(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', `${what} is not UTF-8.`, {
      hint: 'Convert it, for example with iconv -f latin1 -t utf-8.',
      cause,
    });
  }
}
