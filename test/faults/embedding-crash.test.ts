/** Killed in the middle of embedding: no vector is lost or doubled, and every record has one or waits for one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { START } from '../../src/testing/conformance/drafts.ts';
import { look, MODEL, newFile, open } from '../drivers/sqlite/vectors/fixture.ts';
import { programOf } from './support/program.ts';

const PROGRAM = programOf('embedding-process');

it('kill -9 of two processes that embed leaves each record with a vector or waiting', async () => {
  const file = newFile();
  await (await open(file)).close();
  for (let round = 0; round < 2; round++) {
    const children = [0, 1].map((i) =>
      spawn(process.execPath, [PROGRAM, file, String(2 * round + i)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    await Promise.all(children.map((child) => once(child.stdout!, 'data')));
    await sleep(40 + 35 * round);
    await Promise.all(
      children.map((child) => {
        child.kill('SIGKILL');
        return once(child, 'close');
      }),
    );
  }
  const { records, maintenance } = await open(file);
  const [total] = look<number>(file, 'SELECT count(*) FROM records');
  const { embedded, waiting } = await records.vectors.backlog(MODEL);
  expect(total).toBeGreaterThan(80);
  expect(embedded).toBeGreaterThan(40);
  expect(embedded + waiting).toBe(total);
  const left = await records.vectors.waiting(MODEL, 1_000_000);
  const drafts = left.map(({ id, version }) => ({ id, version, vector: new Float32Array(16).fill(0.25) }));
  expect(await records.vectors.save(MODEL, drafts)).toBe(waiting);
  expect(await records.vectors.backlog(MODEL)).toEqual({ embedded: total, waiting: 0, foreign: 0 });
  const findings = await maintenance.examine({ fix: false, now: START });
  expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
});
