/** The processes of the document tests: each command does one thing to one file, until it is done or killed. */
import { createHash, randomInt } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ABSENT, ANY, DocumentFile } from '../../src/documents/index.ts';
import { sqliteFileLock } from '../../src/drivers/sqlite/file-lock.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';

const [command, root, ...rest] = process.argv.slice(2) as [string, string, ...string[]];
const lock = sqliteFileLock({ timeoutMs: 60_000 });
const open = (path: string) => new DocumentFile({ path, root, lock });
const say = (line: string) => process.stdout.write(`${line}\n`);

const commands: Record<string, () => Promise<void>> = {
  /** Adds one to the number in a file, several times. */
  async increment() {
    const document = open('counter.md');
    for (let i = 0; i < Number(rest[0]); i++)
      await document.update((text) => String(Number(text || '0') + 1));
    say('done');
  },

  /** Appends records and rewrites a state for ever; says what was acknowledged. Both files prove themselves whole. */
  async churn() {
    const [log, state] = [open('log.md'), open('state.md')];
    for (let i = 0; ; i++) {
      const id = `${process.pid}-${i}`;
      // Now and then large enough for the kernel to be stopped in the middle of it.
      const payload = 'x'.repeat(randomInt(10) === 0 ? 3_000_000 : randomInt(20_000));
      await log.append(`${id} ${payload.length} ${payload}\n`);
      say(`appended ${id}`);
      await state.update((text) => sealed(text === '' ? 1 : unsealed(text) + 1, randomInt(100_000)));
      say('counted');
    }
  },

  /** Holds the lock until it is killed. */
  async hold() {
    await lock.hold(join(root, 'held.md'), async () => {
      say('held');
      await sleep(600_000);
    });
  },

  /** Takes the lock again and again without a pause, and says each time that it has it. */
  async hog() {
    for (;;) {
      await lock.hold(join(root, 'held.md'), async () => {
        say('held');
        await sleep(20);
      });
    }
  },

  /** Everything that someone without the right to write may try. */
  async forbidden() {
    const document = open('MEMORY.md');
    await report({
      read: async () => (await document.read()).text,
      replace: () => document.replace('new', { ifHash: ANY }),
      update: () => document.update((text) => `${text}new`),
      append: () => document.append('new'),
      remove: () => document.remove({ ifHash: ANY }),
      create: () => open('new.md').replace('new', { ifHash: ABSENT }),
      createInFolder: () => open('folder/new.md').replace('new', { ifHash: ABSENT }),
      hold: () => lock.hold(join(root, 'held.md'), async () => 'in'),
    });
  },

  /** Everything on a disk that fills up. */
  async full() {
    const document = open('MEMORY.md');
    const content = () => readFileSync(join(root, 'MEMORY.md'), 'utf8');
    const old = 'old line\n'.repeat(2_000);
    await document.replace(old, { ifHash: ABSENT });
    const filler = join(root, 'filler');
    const leave = (bytes: number) => {
      rmSync(filler, { force: true });
      const { bavail, bsize } = statfsSync(root);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
    };
    const asBefore = () => [
      content() === old,
      ...readdirSync(root).filter((name) => /\.(tmp|append)$/.test(name)),
    ];
    const large = 'new line\n'.repeat(3_000);
    const medium = 'x'.repeat(6_000);
    const first = await codes(
      {
        replace: () => document.replace(large, { ifHash: ANY }),
        update: () => document.update((text) => text + large),
        append: () => document.append(large),
        create: () => open('new.md').replace(large, { ifHash: ABSENT }),
      },
      () => leave(8_192),
      asBefore,
    );
    // Room for the note of the append, but not for the append itself.
    const second = await codes({ appendHalf: () => document.append(medium) }, () => leave(8_192), asBefore);
    const third = await codes(
      { replaceNone: () => document.replace('tiny', { ifHash: ANY }) },
      () => leave(0),
      asBefore,
    );
    rmSync(filler);
    await document.update((text) => `${text}after\n`);
    const healthy = content() === `${old}after\n`;
    leave(0);
    await document.remove({ ifHash: ANY });
    say(JSON.stringify({ ...first, ...second, ...third, healthy, left: readdirSync(root).sort() }));
  },

  /** Under a limit on the size of files, where a write is first cut short and then refused. */
  async limited() {
    const document = open('MEMORY.md');
    const old = 'old line\n'.repeat(2_000);
    await document.replace(old, { ifHash: ABSENT });
    const asBefore = () => [
      readFileSync(join(root, 'MEMORY.md'), 'utf8') === old,
      ...readdirSync(root).filter((name) => /\.(tmp|append)$/.test(name)),
    ];
    const attempts = {
      replace: () => document.replace('new line\n'.repeat(3_000), { ifHash: ANY }),
      append: () => document.append('x'.repeat(6_000)),
    };
    const results = await codes(attempts, () => {}, asBefore);
    const { size } = await document.append('fits\n');
    say(JSON.stringify({ ...results, fits: size === old.length + 5 }));
  },
};

async function report(attempts: Record<string, () => Promise<unknown>>): Promise<void> {
  say(JSON.stringify(await codes(attempts)));
}

/** The error code of each attempt, or its result, with what was found afterwards. */
async function codes(
  attempts: Record<string, () => Promise<unknown>>,
  before: () => void = () => {},
  after?: () => unknown[],
): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    before();
    const result = await attempt().catch((error: unknown) =>
      KeepsakeError.is(error) ? error.code : String(error),
    );
    results[name] = after === undefined ? result : [result, ...after()];
  }
  return results;
}

function sealed(count: number, padding: number): string {
  const body = `${count} ${'y'.repeat(padding)}`;
  return `${createHash('sha256').update(body).digest('hex')} ${body}`;
}

/** The count in a sealed text; throws when a single byte is wrong. */
export function unsealed(text: string): number {
  const [seal, count] = text.split(' ', 2);
  if (createHash('sha256').update(text.slice(65)).digest('hex') !== seal)
    throw new Error('The seal is broken.');
  return Number(count);
}

if (command !== undefined && commands[command] !== undefined) {
  await commands[command]();
  await lock.close();
}
