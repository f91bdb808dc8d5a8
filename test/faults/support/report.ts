/** How a child program speaks: one line of JSON per message, handed to the kernel before the next statement runs. */
import { writeSync } from 'node:fs';
import { KeepsakeError } from '../../../src/kernel/errors.ts';

const STANDARD_OUTPUT = 1;

/** Synchronous, so that a message that the parent reads was sent at that very point of the program. */
export function report(message: object): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(STANDARD_OUTPUT, bytes, sent);
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** An error as a message; one that is not ours has the code "RAW", which no test accepts. */
export function failureOf(error: unknown): Failure {
  if (KeepsakeError.is(error)) return { code: error.code, message: error.message, hint: error.hint ?? null };
  return { code: 'RAW', message: error instanceof Error ? `${error.stack}` : String(error), hint: null };
}

/** Says that the program is loaded, and waits for the parent's word: so that many children begin at one moment. */
export async function waitForStart(): Promise<void> {
  report({ type: 'ready' });
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
}
