/** Fifty agents in five processes, all at once on one state: nothing that was acknowledged is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openRedis } from '../../src/drivers/redis/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { STATE_LEASE } from '../../src/working/index.ts';
import { redisServer } from '../drivers/redis/server.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { programOf } from './support/program.ts';

const RUN = 'run_1';
const CHILD = programOf('append-child', join(import.meta.dirname, '../working'));

const ENGINES = {
  SQLite: async () => {
    const place = join(temporaryFolder(), 'keepsake.db');
    return { place, storage: await openSqlite({ file: place }) };
  },
  Redis: async () => {
    const server = await redisServer();
    onTestFinished(() => server.stop());
    return { place: server.url, storage: await openRedis(server) };
  },
};

it.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])(
  'C-07 C-10 fifty agents in several processes append at once and lose nothing, on %s',
  async (engine) => {
    const { place, storage } = await ENGINES[engine]();
    onTestFinished(() => storage.close());
    const at = Date.now();
    const document = { findings: [], count: 0 };
    await storage.state.create({ run: RUN, document, by: 'lead', at, leaseUntil: at + STATE_LEASE });
    const heard: number[] = [];
    const listening = (async () => {
      for await (const { version } of storage.state.watch({ run: RUN, after: 1 })) {
        heard.push(version);
        if (heard.length === 400) break;
      }
    })();
    const codes = await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        const args = [CHILD, place, RUN, String(10 * i), '10', '4'];
        const [code] = (await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')) as [number];
        return code;
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0, 0]);
    const { version, document: after } = (await storage.state.read(RUN))!;
    const findings = after.findings as { by: string; entry: number }[];
    expect([version, after.count, findings.length]).toEqual([401, 200, 200]);
    for (let agent = 0; agent < 50; agent++) {
      const own = findings.filter(({ by }) => by === `agent-${agent}`).map(({ entry }) => entry);
      expect(own).toEqual([0, 1, 2, 3]);
    }
    await listening;
    expect(heard).toEqual(Array.from({ length: 400 }, (_, i) => i + 2));
  },
);
