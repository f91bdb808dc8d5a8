/** Text from a pipe: UTF-8 over any chunk borders, and not more than could ever be accepted. */
import { KeepsakeError } from '../../kernel/errors.ts';

/** Above any limit of an operation, so that its own error names that limit; below what would fill the memory. */
const MOST_BYTES = 16 * 1024 * 1024;

export async function readStdin(note: (text: string) => void): Promise<string> {
  if (process.stdin.isTTY) note('Type the text; Ctrl-D on an empty line ends it.');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      throw new KeepsakeError('TOO_LARGE', `More than ${MOST_BYTES / 1024 / 1024} MB came in on stdin.`, {
        hint: 'A memory is something to know, not a document; split it.',
      });
    }
  }
  return decode(Buffer.concat(chunks));
}

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The last line break belongs to the pipe ("echo"), not to the text.
    return text.replace(/\r?\n$/, '');
  } catch (cause) {
    throw new KeepsakeError('INVALID_INPUT', 'What came in on stdin is not UTF-8.', {
      hint: 'Convert it, for example with iconv -f latin1 -t utf-8.',
      cause,
    });
  }
}
