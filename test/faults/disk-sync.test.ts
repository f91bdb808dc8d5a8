/** "Acknowledged" means on disk: when the promise resolves, the log has been synced since the last byte was written to it. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runChild } from './support/children.ts';
import { SEQUENCE } from './support/steps.ts';
import { requireTracer, TRACER } from './support/tracer.ts';
import { databaseOf, inFolder } from './support/workspace.ts';

beforeAll(requireTracer);

interface Observed {
  readonly acknowledgements: number;
  readonly writes: number;
  readonly violations: readonly string[];
}

/** Follows the calls in order: which files have bytes that no sync has covered yet. */
function observe(log: string, file: string): Observed {
  const unsynced = new Set<string>();
  const violations: string[] = [];
  let acknowledgements = 0;
  let writes = 0;
  let folderSynced = false;
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, call, path = ''] = /^\d+ +(\w+)\(\d+<([^>]*)>/.exec(line) ?? [];
    if (call === 'pwrite64' && (path === file || path === `${file}-wal`)) {
      unsynced.add(path);
      writes++;
    } else if (call === 'fsync' || call === 'fdatasync') {
      unsynced.delete(path);
      if (path === dirname(file)) folderSynced = true;
    } else if (call === 'write' && line.includes('\\"type\\":\\"done\\"')) {
      acknowledgements++;
      if (unsynced.has(`${file}-wal`)) violations.push(`Not yet on disk: ${line}`);
      if (!folderSynced) violations.push(`The file's name is not yet on disk: ${line}`);
    }
  }
  return { acknowledgements, writes, violations };
}

it('acknowledges nothing before it is synced', () =>
  inFolder(async (folder) => {
    const file = databaseOf(folder);
    const log = join(folder, 'calls');
    const calls = 'trace=pwrite64,fsync,fdatasync,write';
    const under = [TRACER, '-f', '--seccomp-bpf', '-y', '-s', '256', '-o', log, '-e', calls];
    await runChild('sequence', { file, write: true, prepare: true }, { under });
    const { violations, ...counts } = observe(log, file);
    console.log(`disk-sync: ${JSON.stringify(counts)}`);
    expect(violations).toEqual([]);
    expect(counts.acknowledgements).toBeGreaterThan(SEQUENCE.flat().length);
    expect(counts.writes).toBeGreaterThan(0);
  }));
