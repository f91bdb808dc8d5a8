/** Reads prompts from a terminal or a pipe; a backslash at the end continues a line. */
import { createInterface, type Interface } from 'node:readline';
import { PromptScreen } from './prompt-screen.ts';
import { DO_NOT_MARK_PASTES, MARK_PASTES, TerminalKeys } from './terminal-keys.ts';

export interface LineReader {
  /** The next prompt; undefined when there will be none. */
  next(): Promise<string | undefined>;
  close(): void;
}

export interface TerminalLines {
  readonly paint: (text: string) => string;
  /** Ctrl-C, where there is no line to clear. */
  readonly onInterrupt: () => void;
}

const PROMPT = '› ';
const CONTINUATION = '… ';
/** Stands for a line break in the line that is being edited. */
const LINE_BREAK = '⏎';
// Control characters but tabs would move the cursor, or be taken for keys.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\u0080-\u009f]/g;

/** Lines that arrive before they are asked for wait here. */
class LineQueue {
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #isClosed = false;

  constructor(lines: Interface) {
    lines.on('line', (line) => {
      if (this.#waiting === undefined) this.#lines.push(line);
      else this.#answer(line);
    });
    lines.on('close', () => {
      this.#isClosed = true;
      this.#answer(undefined);
    });
  }

  /** Undefined when none waits. */
  take(): string | undefined {
    return this.#lines.shift();
  }

  next(): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #answer(line: string | undefined): void {
    this.#waiting?.(line);
    this.#waiting = undefined;
  }
}

/** Puts the lines that a backslash connects together. */
async function wholePrompt(
  ask: (isContinuation: boolean) => Promise<string | undefined>,
  parts: string[],
): Promise<string | undefined> {
  parts.length = 0;
  for (;;) {
    const line = await ask(parts.length > 0);
    if (line === undefined) return parts.length === 0 ? undefined : [...parts, ''].join('\n');
    if (!line.endsWith('\\')) return [...parts, line].join('\n');
    parts.push(line.slice(0, -1));
  }
}

/** From a pipe, which has nobody to show a prompt to. */
export function pipedLines(): LineReader {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const queue = new LineQueue(lines);
  return {
    next: () => wholePrompt(async () => queue.take() ?? queue.next(), []),
    close: () => lines.close(),
  };
}

/** What is pasted is inserted into the line, with its line breaks; it is sent when the person presses Enter. */
export function pastedText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').replaceAll('\n', LINE_BREAK).replace(CONTROL, '');
}

export function terminalLines({ paint, onInterrupt }: TerminalLines): LineReader {
  const screen = new PromptScreen(process.stderr);
  const input = new TerminalKeys(process.stdin, (text) => lines.write(pastedText(text)));
  const lines = createInterface({
    input: input as unknown as NodeJS.ReadStream,
    output: screen as unknown as NodeJS.WriteStream,
    terminal: true,
  }) as Interface & { prevRows: number; clearLine(): void };
  const queue = new LineQueue(lines);
  const parts: string[] = [];
  const leave = (): void => void process.stderr.write(DO_NOT_MARK_PASTES);
  process.stderr.write(MARK_PASTES);
  process.once('exit', leave);

  const show = (isContinuation: boolean): void => {
    lines.setPrompt(paint(isContinuation ? CONTINUATION : PROMPT));
    screen.isShown = true;
    // What was drawn before is not above the cursor any more: drawing again must not erase an answer.
    lines.prevRows = 0;
    lines.prompt(true);
  };
  const ask = async (isContinuation: boolean): Promise<string | undefined> => {
    const waiting = queue.take();
    if (waiting !== undefined) {
      process.stderr.write(`${paint(isContinuation ? CONTINUATION : PROMPT)}${waiting}\n`);
      return waiting.replaceAll(LINE_BREAK, '\n');
    }
    show(isContinuation);
    const line = await queue.next();
    screen.isShown = false;
    return line?.replaceAll(LINE_BREAK, '\n');
  };
  // Before the listener of readline: after a resize the line may begin in another row than it remembers.
  screen.prependListener('resize', () => {
    lines.prevRows = Math.min(lines.prevRows, lines.getCursorPos().rows);
  });
  lines.on('SIGINT', () => {
    if (!screen.isShown) return onInterrupt();
    const isEmpty = lines.line === '' && parts.length === 0;
    // Leaves what was typed on the screen and begins an empty line below it, as shells do.
    lines.clearLine();
    parts.length = 0;
    if (isEmpty) onInterrupt();
    show(false);
  });
  return {
    next: () => wholePrompt(ask, parts),
    close: () => {
      lines.close();
      screen.destroy();
      process.removeListener('exit', leave);
      leave();
    },
  };
}
