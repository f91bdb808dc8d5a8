/** How long the command line takes to start, against an empty Node in the same run. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createClient } from '../../src/index.ts';
import { median, round, temporaryFolder, textMaker } from '../lib/measure.ts';
import type { Suite } from '../lib/suite.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'keepsake.js');

function milliseconds(args: readonly string[], input = ''): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return performance.now() - start;
}

/** As `keepsake mcp install claude-code` writes it. */
const hookCommand = (event: string, workspace: string): string[] => [
  ...[BIN, 'hook', event, '--agent', 'bench', '--workspace', workspace],
];

export const coldStart: Suite = {
  name: 'cold-start',
  question: 'Start of the command line, as a ratio to `node -e 0` (needs `npm run build`)',
  async run({ quick, progress }) {
    const folder = temporaryFolder();
    const client = createClient({ workspace: folder.path, config: { memory: { maxEntries: 10_000_000 } } });
    const { memory } = client.agent({ name: 'bench' });
    const text = textMaker();
    for (let i = 0; i < 20; i++)
      await Promise.all(Array.from({ length: 500 }, () => memory.add({ content: text() })));
    await client.close();
    const commands = {
      'node -e 0': ['-e', '0'],
      'keepsake --version': [BIN, '--version'],
      'keepsake memory search, 10,000 records': [
        BIN,
        'memory',
        'search',
        'gateway latency',
        '--agent',
        'bench',
        '--workspace',
        folder.path,
      ],
      'hook session-start, 10,000 records': hookCommand('session-start', folder.path),
      'hook user-prompt-submit, 10,000 records': hookCommand('user-prompt-submit', folder.path),
    };
    /** Another session each time: what a session was shown once is not shown again. */
    let sessions = 0;
    const input = () =>
      JSON.stringify({ session_id: `s-${sessions++}`, prompt: 'What is the latency of the gateway?' });
    const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
    for (const args of Object.values(commands)) milliseconds(args, input());
    const rounds = quick ? 5 : 21;
    for (let i = 0; i < rounds; i++) {
      progress(`round ${i + 1} of ${rounds}`);
      for (const [name, args] of Object.entries(commands)) times.get(name)!.push(milliseconds(args, input()));
    }
    folder.remove();
    const base = median(times.get('node -e 0')!);
    const rows = [...times].map(([what, values]) => ({
      what,
      ms: round(median(values)),
      ratio: round(median(values) / base),
    }));
    return {
      rows,
      headline: [
        { name: 'keepsake --version', value: rows[1]!.ratio, aim: '≤ 2.5' },
        { name: 'keepsake memory search at 10,000 records', value: rows[2]!.ratio, aim: '≤ 6' },
        { name: 'hook session-start at 10,000 records', value: rows[3]!.ratio, aim: '≤ 6' },
        { name: 'hook user-prompt-submit at 10,000 records', value: rows[4]!.ratio, aim: '≤ 6' },
      ],
    };
  },
};
