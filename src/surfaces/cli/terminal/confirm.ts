/** Asks for confirmation of irreversible actions, on a terminal only. */
import { createInterface } from 'node:readline/promises';
import { KeepsakeError } from '../../../kernel/errors.ts';

/** A script has nobody to ask: what it was told to do, it does. */
export function someoneIsThere(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Throws ABORTED unless the answer is yes. The question goes to stderr, so that stdout stays what was asked for. */
export async function confirm(question: string): Promise<void> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new AbortController();
  prompt.on('SIGINT', () => interrupted.abort());
  prompt.on('close', () => interrupted.abort());
  try {
    const answer = await prompt.question(`${question} [y/N] `, { signal: interrupted.signal });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    process.stderr.write('\n');
  } finally {
    prompt.close();
  }
  throw new KeepsakeError('ABORTED', 'Nothing was changed.');
}
