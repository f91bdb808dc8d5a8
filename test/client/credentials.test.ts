/** Passwords of databases are in no error, no finding of doctor, no line of a log and no shown configuration. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { workspaceConfig } from '../../src/administration/config.ts';
import { workspaceDoctor } from '../../src/administration/doctor.ts';
import { describePlace, readStoragePlace } from '../../src/config/index.ts';
import { serve } from '../../src/surfaces/http/serve.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

/** In two parts, so that half a password is found, too. */
const [HEAD, TAIL] = ['hunter2xyz', 'tail9876'];
/** Plain, and with what must be escaped and is not. */
const PASSWORDS = ['', '@', '/', '%zz'].map((between) => `${HEAD}${between}${TAIL}`);
/** Nobody listens there. */
const CLOSED = '127.0.0.1:1';

const STORAGES: readonly ((password: string) => object)[] = [
  (password) => ({ driver: 'postgres', url: `postgresql://me:${password}@${CLOSED}/app` }),
  (password) => ({ driver: 'postgres', url: `postgresql://me@${CLOSED}/app?password=${password}` }),
  (password) => ({ state: { driver: 'redis', url: `redis://:${password}@${CLOSED}` } }),
  (password) => ({ state: { driver: 'redis', url: `redis+cluster://me:${password}@${CLOSED}` } }),
  (password) => ({ vectors: { driver: 'qdrant', url: `http://me:${password}@${CLOSED}` } }),
  (password) => ({ vectors: { driver: 'qdrant', url: `http://${CLOSED}`, apiKey: password } }),
];

const outcome = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => error);

/** All that somebody sees of a workspace whose database does not answer. */
async function seen(storage: object, lines: string[]): Promise<unknown[]> {
  const { folder, open } = testWorkspace();
  writeFileSync(join(folder, 'keepsake.jsonc'), JSON.stringify({ storage }));
  const target = { workspace: folder };
  const client = open();
  const program = { version: '0', oldestNode: '22.0' };
  return Promise.all([
    outcome(() => client.agent({ name: 'alice' }).memory.add({ content: 'x' })),
    outcome(() => client.runs.list({})),
    outcome(() => workspaceConfig(target)),
    outcome(() => workspaceDoctor({ ...target, fix: false, now: Date.now(), program })),
    outcome(async () => {
      const log = { level: 'debug', format: 'json' } as const;
      const writeLog = (line: string) => lines.push(line);
      const server = await serve(await client.open(), { port: 0, version: '0', log, writeLog });
      const asked = ['/readyz', '/metrics', '/v1/memory'].map((path) => fetch(server.url + path));
      const texts = await Promise.all(asked.map(async (answer) => (await answer).text()));
      await server.stop();
      return texts;
    }),
  ]);
}

it('shows no password or key of Postgres, Redis or Qdrant, whatever is wrong', async () => {
  const lines: string[] = [];
  const warned = (warning: Error) => lines.push(inspect(warning));
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const storages = STORAGES.flatMap((withPassword) => PASSWORDS.map(withPassword));
  const answers = await Promise.all(storages.map((storage) => seen(storage, lines)));
  // One that answers nothing would prove nothing.
  for (const each of answers)
    expect(inspect(each, { depth: 6 })).toMatch(/does not answer|cannot be understood|127\.0\.0\.1/);
  const everything = [inspect(answers, { depth: 12, showHidden: true }), JSON.stringify(answers), ...lines];
  const leaks = everything
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes(HEAD) || line.includes(TAIL));
  expect(leaks.map((line) => line.slice(0, 300))).toEqual([]);
});

it('shows a place on the command line without its password', () => {
  for (const password of PASSWORDS) {
    for (const name of [
      `postgresql://me:${password}@db/app`,
      `postgresql://me@db/app?password=${password}`,
    ]) {
      const shown = describePlace(readStoragePlace(name, '/'));
      expect(shown).toContain('postgresql://me@db/app');
      expect(shown).not.toMatch(new RegExp(`${HEAD}|${TAIL}`));
    }
  }
});
