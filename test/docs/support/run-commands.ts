/** Runs the commands of a page one after the other, as a reader would type them. */
import { runCli } from '../../surfaces/cli/support/run-cli.ts';
import { splitWords } from './commands.ts';

/** A command of the page, and what the page shows below it. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** `console` blocks: what follows a prompt was typed, the rest is the answer. */
export function shownIn(text: string): Shown[] {
  return text
    .split(/^\$ keepsake /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.split('\n');
      return { command, output: lines.join('\n').trim() };
    });
}

export interface Said {
  readonly code: number | null;
  readonly text: string;
}

/** The built program, as a reader has it. A model is configured nowhere; its key may be checked all the same. */
export async function keepsake(command: string, cwd: string): Promise<Said> {
  const words = splitWords(command.replace(/\s+#.*$/, ''));
  const env = { GOOGLE_GENERATIVE_AI_API_KEY: 'none' };
  const { code, stdout, stderr } = await runCli(words, { cwd, env });
  return { code, text: `${stdout}${stderr}`.trim() };
}

const ID = /\b(?:mem|msg|run|ses)_[0-9a-z]{26}\b/g;
const SCORE = /\b\d\.\d\d\b/g;

/** Ids, hours, folders and sizes differ from run to run; scores are compared apart. */
export function comparable(text: string, cwd: string): string {
  return text
    .replaceAll(cwd, '/home/me')
    .replaceAll(ID, 'mem_01234567890123456789012345')
    .replaceAll(/today \d\d:\d\d/g, 'today 12:00')
    .replaceAll(/\d+\.\d kB/g, '1.0 kB')
    .replaceAll(SCORE, '0.00');
}

export const idsIn = (text: string): string[] => text.match(ID) ?? [];
export const scoresIn = (text: string): number[] => (text.match(SCORE) ?? []).map(Number);
