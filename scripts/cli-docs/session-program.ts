/** The process of a session: runs one command after the other and writes a line of JSON for each. */
import { run } from '../../src/surfaces/cli/main.ts';
import type { Step } from './steps.ts';

const steps = JSON.parse(process.argv[2]!) as Step[];
/** The last of each kind that a command printed. */
const seen: Record<string, string> = {};
const KINDS: Readonly<Record<string, RegExp>> = {
  memory: /\bmem_[0-9a-z]{26}\b/,
  run: /\brun_[0-9a-z]{26}\b/,
  refused: /\bqtn_[0-9a-z]{26}\b/,
  archive: /\bhistory_[\w-]+\.md\b/,
};

const write = process.stdout.write.bind(process.stdout);
let heard = '';
const listen = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
  heard += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
  const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined;
  done?.();
  return true;
}) as typeof process.stdout.write;
process.stdout.write = listen;
process.stderr.write = listen;

// Every command adds its listeners, which are meant for a process of its own.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

const quoted = (word: string): string => (/^[\w./:{}=,-]+$/.test(word) ? word : `"${word}"`);

for (const { words } of steps) {
  heard = '';
  const filled = words.map((word) =>
    word.replace(/^\{(\w+)\}$/, (whole, kind: string) => seen[kind] ?? whole),
  );
  const code = await run(filled);
  for (const [kind, pattern] of Object.entries(KINDS)) {
    const found = pattern.exec(heard)?.[0];
    // The memory that the steps change is the first one that is shown.
    if (found !== undefined && !(kind === 'memory' && seen.memory !== undefined)) seen[kind] = found;
  }
  const line = ['keepsake', ...filled.map(quoted)].join(' ');
  write(`${JSON.stringify({ line, code, output: heard })}\n`);
}
process.exit(0);
