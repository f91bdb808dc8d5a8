/** One prompt and its answer on a terminal: words on stdout as they come, tools on stderr. */
import type { Output } from '../../output.ts';
import { oneLine, printable } from '../../terminal/printable.ts';
import { truncate } from '../../terminal/width.ts';
import type { Session } from './open-agent.ts';

const WIDEST = 100;
const WIDEST_VALUE = 40;

export interface UsedTool {
  readonly name: string;
  readonly arguments: unknown;
  readonly ok: boolean;
}

export interface Answered {
  readonly text: string;
  readonly loops: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  /** In dollars; null when the price of the model is not known. */
  readonly cost: number | null;
  readonly tools: readonly UsedTool[];
}

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return JSON.stringify(truncate(oneLine(text), WIDEST_VALUE));
}

/** `memory_save section="user_profile" content="Data engineer at…"`. */
export function toolLine(name: string, given: unknown): string {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  const words = entries.map(([key, value]) => `${oneLine(key)}=${shownValue(value)}`);
  return truncate([oneLine(name), ...words].join(' '), WIDEST);
}

/** Writes pieces of text so that what follows can begin on a line of its own. */
class Page {
  readonly #isWanted: boolean;
  #isLineOpen = false;

  constructor({ json }: Output) {
    this.#isWanted = !json;
  }

  write(text: string): void {
    if (!this.#isWanted || text === '') return;
    process.stdout.write(text);
    this.#isLineOpen = !text.endsWith('\n');
  }

  endLine(): void {
    if (this.#isLineOpen) this.write('\n');
  }
}

/** Throws what the run throws; what was printed until then stands on lines of its own. */
export async function printAnswer(
  session: Session,
  prompt: string,
  output: Output,
  signal: AbortSignal,
): Promise<Answered> {
  const page = new Page(output);
  const calls: { name: string; arguments: unknown; ok: boolean }[] = [];
  let answer: Omit<Answered, 'tools'> | undefined;
  try {
    for await (const event of session.stream(prompt, { signal })) {
      if (event.type === 'text') {
        page.write(printable(event.text));
      } else if (event.type === 'tool') {
        page.endLine();
        calls.push({ name: event.name, arguments: event.arguments, ok: true });
        output.note(`→ ${toolLine(event.name, event.arguments)}`);
      } else if (event.type === 'toolResult') {
        const call = calls.findLast(({ name }) => name === event.name);
        if (call !== undefined) call.ok = !event.isError;
        output.note(`${event.isError ? '✗' : '←'} ${truncate(oneLine(event.result), WIDEST)}`);
      } else if (event.type === 'done') {
        const { text, loops, usage, cost } = event.answer;
        answer = { text, loops, usage, cost };
      }
    }
  } finally {
    page.endLine();
  }
  return { ...(answer as Omit<Answered, 'tools'>), tools: calls };
}
