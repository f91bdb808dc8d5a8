/** Lines from a person or a pipe, one at a time; a line that ends with a backslash goes on in the next one. */
import { createInterface, type Interface } from 'node:readline';

export interface LineReader {
  /** The next line; undefined when there will be none. */
  next(): Promise<string | undefined>;
  /** Ctrl-C on a terminal, where it is a key and no signal. */
  onInterrupt(listener: () => void): void;
  close(): void;
}

const PROMPT = '› ';
const CONTINUATION = '… ';

export function openLines(isTerminal: boolean, paint: (text: string) => string): LineReader {
  const lines: Interface = createInterface({
    input: process.stdin,
    terminal: isTerminal,
    // A pipe has nobody to show a prompt to.
    ...(isTerminal ? { output: process.stderr } : {}),
  });
  // Begins to listen now: lines that come before they are asked for wait here.
  const iterator = lines[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string | undefined> => {
    if (isTerminal) {
      lines.setPrompt(paint(prompt));
      lines.prompt();
    }
    const { value, done } = await iterator.next();
    return done === true ? undefined : String(value);
  };
  return {
    next: async () => {
      let text = await ask(PROMPT);
      while (text?.endsWith('\\')) {
        const more = await ask(CONTINUATION);
        text = `${text.slice(0, -1)}\n${more ?? ''}`;
      }
      return text;
    },
    onInterrupt: (listener) => void lines.on('SIGINT', listener),
    close: () => lines.close(),
  };
}
