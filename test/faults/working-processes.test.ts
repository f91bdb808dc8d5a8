/** Fifty agents in five processes, all at once on one state: nothing that was acknowledged is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RUN, stateScene } from '../working/fixture.ts';

it('C-07 C-10 fifty agents in several processes append at once and lose nothing', async () => {
  const { file, state, store } = await stateScene({ findings: [], count: 0 });
  const child = join(import.meta.dirname, '../working/append-child.ts');
  const heard: number[] = [];
  const stop = new AbortController();
  const listening = (async () => {
    for await (const { version } of store.watch({ run: RUN, after: 1, signal: stop.signal }))
      heard.push(version);
  })();
  const codes = await Promise.all(
    Array.from({ length: 5 }, async (_, i) => {
      const args = [child, file, RUN, String(10 * i), '10', '4'];
      const [code] = (await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')) as [number];
      return code;
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0, 0]);
  const { version, document } = await state().read();
  const findings = document.findings as { by: string; entry: number }[];
  expect([version, document.count, findings.length]).toEqual([401, 200, 200]);
  for (let agent = 0; agent < 50; agent++) {
    const own = findings.filter(({ by }) => by === `agent-${agent}`).map(({ entry }) => entry);
    expect(own).toEqual([0, 1, 2, 3]);
  }
  while (heard.length < 400) await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  await listening;
  expect(heard).toEqual(Array.from({ length: 400 }, (_, i) => i + 2));
});
