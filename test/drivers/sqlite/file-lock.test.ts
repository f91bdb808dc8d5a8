/** The file lock within one process; test/faults/documents-lock.test.ts does the same between processes. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { codeOf, errorOf, makeLock, makeRoot } from '../../documents/fixture.ts';

/** Work that ends when it is told to. */
function hold() {
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const work = async () => {
    began.resolve();
    await end.promise;
  };
  return { work, began: began.promise, end: () => end.resolve() };
}

describe('mutual exclusion', () => {
  it('lets one task in at a time, in the order in which they came', async () => {
    const path = join(makeRoot(), 'doc.md');
    const lock = makeLock();
    const order: number[] = [];
    let inside = 0;
    let most = 0;
    const tasks = Array.from({ length: 30 }, (_, i) =>
      lock.hold(path, async () => {
        most = Math.max(most, ++inside);
        await tick();
        order.push(i);
        inside--;
      }),
    );
    await Promise.all(tasks);
    expect(most).toBe(1);
    expect(order).toEqual(Array.from({ length: 30 }, (_, i) => i));
  });

  it('hands back the result, and passes on the error, and is free after either', async () => {
    const path = join(makeRoot(), 'doc.md');
    const lock = makeLock();
    expect(await lock.hold(path, async () => 42)).toBe(42);
    const boom = new Error('boom');
    expect(await errorOf(lock.hold(path, () => Promise.reject(boom)))).toBe(boom);
    const thrownAtOnce = (): Promise<never> => {
      throw boom;
    };
    expect(await errorOf(lock.hold(path, thrownAtOnce))).toBe(boom);
    expect(await makeLock().hold(path, async () => 'free')).toBe('free');
  });

  it('holds between two locks of one process as well', async () => {
    const path = join(makeRoot(), 'doc.md');
    const [one, two] = [makeLock(), makeLock()];
    let counter = 0;
    const increment = async () => {
      const seen = counter;
      await tick();
      counter = seen + 1;
    };
    await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).hold(path, increment)));
    expect(counter).toBe(40);
  });

  it('does not mix up different files', async () => {
    const root = makeRoot();
    const lock = makeLock();
    const first = hold();
    const holding = lock.hold(join(root, 'a.md'), first.work);
    await first.began;
    expect(await lock.hold(join(root, 'b.md'), async () => 'in')).toBe('in');
    first.end();
    await holding;
  });

  it('is one lock under two spellings, as on a file system that ignores case', async () => {
    const root = makeRoot();
    const [one, two] = [makeLock(), makeLock()];
    await one.hold(join(root, 'MEMORY.md'), async () => {});
    // A second name for the lock file is what such a file system gives us.
    linkSync(join(root, '.MEMORY.md.lock'), join(root, '.memory.md.lock'));
    const first = hold();
    const holding = one.hold(join(root, 'MEMORY.md'), first.work);
    await first.began;
    expect(await codeOf(two.hold(join(root, 'memory.md'), async () => {}, { timeoutMs: 30 }))).toBe('BUSY');
    first.end();
    await holding;
    expect(await two.hold(join(root, 'memory.md'), async () => 'in')).toBe('in');
  });
});

describe('the lock file', () => {
  it('is hidden, private and empty, and nothing else appears beside it', async () => {
    const root = makeRoot();
    const lock = makeLock();
    const look = () => readdirSync(root).map((name) => [name, statSync(join(root, name)).size]);
    const during = await lock.hold(join(root, 'doc.md'), async () => look());
    expect(during).toEqual([['.doc.md.lock', 0]]);
    await lock.close();
    expect(look()).toEqual([['.doc.md.lock', 0]]);
    expect(statSync(join(root, '.doc.md.lock')).mode & 0o777).toBe(0o600);
  });

  it('may be deleted: the next holders agree on a new one', async () => {
    const path = join(makeRoot(), 'doc.md');
    const [one, two] = [makeLock(), makeLock()];
    await one.hold(path, async () => {});
    rmSync(join(path, '..', '.doc.md.lock'));
    const first = hold();
    const holding = two.hold(path, first.work);
    await first.began;
    // `one` still has the deleted file open, where nobody competes.
    expect(await codeOf(one.hold(path, async () => {}, { timeoutMs: 30 }))).toBe('BUSY');
    first.end();
    await holding;
    expect(await one.hold(path, async () => 'in')).toBe('in');
  });

  it('is never something else that happens to have the name', async () => {
    const root = makeRoot();
    const lock = makeLock();
    writeFileSync(join(root, '.a.md.lock'), 'precious');
    writeFileSync(join(root, 'target'), '');
    symlinkSync(join(root, 'target'), join(root, '.b.md.lock'));
    mkdirSync(join(root, '.c.md.lock'));
    for (const name of ['a.md', 'b.md', 'c.md']) {
      const error = await errorOf(lock.hold(join(root, name), async () => {}));
      expect([error.code, error.message.includes(`.${name}.lock`)]).toEqual(['CORRUPT', true]);
    }
    expect(statSync(join(root, '.a.md.lock')).size).toBe(8);
  });

  it('cannot be in a folder that does not exist, and does not create it', async () => {
    const root = makeRoot();
    expect(await codeOf(makeLock().hold(join(root, 'none', 'doc.md'), async () => {}))).toBe('NOT_FOUND');
    expect(existsSync(join(root, 'none'))).toBe(false);
  });

  it('costs a bounded number of file descriptors', async () => {
    const root = makeRoot();
    const lock = makeLock();
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let i = 0; i < 100; i++) await lock.hold(join(root, `${i}.md`), async () => {});
    expect(open() - before).toBeGreaterThan(0);
    expect(open() - before).toBeLessThanOrEqual(32);
    await lock.close();
    expect(open()).toBeLessThanOrEqual(before);
  });
});

describe('waiting', () => {
  it('ends with BUSY that names the file, within the process and against another lock', async () => {
    const path = join(makeRoot(), 'doc.md');
    const [one, two] = [makeLock(), makeLock()];
    const first = hold();
    const holding = one.hold(path, first.work);
    await first.began;
    for (const lock of [one, two]) {
      const error = await errorOf(lock.hold(path, async () => {}, { timeoutMs: 20 }));
      expect(error.code).toBe('BUSY');
      expect(error.message).toContain(path);
      expect(error.retryable).toBe(true);
    }
    first.end();
    await holding;
    expect(await one.hold(path, async () => 'in', { timeoutMs: 1_000 })).toBe('in');
  });

  it('keeps the event loop free', async () => {
    const path = join(makeRoot(), 'doc.md');
    const first = hold();
    const holding = makeLock().hold(path, first.work);
    await first.began;
    let ticks = 0;
    const waiting = makeLock().hold(path, async () => ticks);
    for (; ticks < 50; ticks++) await sleep(1);
    first.end();
    await holding;
    expect(await waiting).toBe(50);
  });

  it('can be aborted: the waiter leaves the queue and the next one moves up', async () => {
    const path = join(makeRoot(), 'doc.md');
    const lock = makeLock();
    const first = hold();
    const holding = lock.hold(path, first.work);
    await first.began;
    const abort = new AbortController();
    let ran = false;
    const aborted = errorOf(
      lock.hold(
        path,
        async () => {
          ran = true;
        },
        { signal: abort.signal },
      ),
    );
    const next = lock.hold(path, async () => 'next');
    abort.abort(new Error('changed my mind'));
    const error = await aborted;
    expect([error.code, (error.cause as Error).message]).toEqual(['ABORTED', 'changed my mind']);
    first.end();
    await holding;
    expect(await next).toBe('next');
    expect(ran).toBe(false);
  });

  it('can be aborted while another lock holds the file, and before it begins', async () => {
    const path = join(makeRoot(), 'doc.md');
    const first = hold();
    const holding = makeLock().hold(path, first.work);
    await first.began;
    const lock = makeLock();
    const abort = new AbortController();
    const aborted = codeOf(lock.hold(path, async () => {}, { signal: abort.signal }));
    abort.abort();
    expect(await aborted).toBe('ABORTED');
    expect(await codeOf(lock.hold(path, async () => {}, { signal: abort.signal }))).toBe('ABORTED');
    first.end();
    await holding;
    expect(await lock.hold(path, async () => 'in')).toBe('in');
  });

  it('gives the turn on when a waiter is called and gives up in the same moment', async () => {
    const path = join(makeRoot(), 'doc.md');
    const lock = makeLock();
    const moments = async (count: number) => {
      for (let i = 0; i < count; i++) await Promise.resolve();
    };
    // Who gives up so many moments after the end of the holder meets it before, in, and after being called.
    for (let after = 0; after < 20; after++) {
      const first = hold();
      const abort = new AbortController();
      const holding = lock.hold(path, first.work);
      await first.began;
      const second = lock
        .hold(path, async () => 'second', { signal: abort.signal })
        .catch((error: { code: string }) => error.code);
      const others = ['third', 'fourth'].map((name) =>
        lock.hold(path, async () => name, { timeoutMs: 5_000 }),
      );
      first.end();
      await moments(after);
      abort.abort();
      await holding;
      expect(['second', 'ABORTED']).toContain(await second);
      expect(await Promise.all(others)).toEqual(['third', 'fourth']);
    }
  });
});

describe('re-entrancy', () => {
  it('is an error at once instead of a wait for oneself', async () => {
    const path = join(makeRoot(), 'doc.md');
    const lock = makeLock();
    const error = await lock.hold(path, () => errorOf(lock.hold(path, async () => {})));
    expect([error.code, error.message.includes(path)]).toEqual(['INTERNAL', true]);
    const deeper = await lock.hold(path, () =>
      lock.hold(`${path}.other`, () => codeOf(lock.hold(path, async () => {}))),
    );
    expect(deeper).toBe('INTERNAL');
  });

  it('is not suspected of a task that outlived the work it began in', async () => {
    const path = join(makeRoot(), 'doc.md');
    const lock = makeLock();
    let later: Promise<string> | undefined;
    const first = hold();
    await lock.hold(path, async () => {
      later = first.work().then(() => lock.hold(path, async () => 'in'));
    });
    first.end();
    expect(await later).toBe('in');
  });
});

describe('closing', () => {
  it('ends the waiting with CLOSED, lets the holder finish, and stays closed', async () => {
    const path = join(makeRoot(), 'doc.md');
    const lock = makeLock();
    const first = hold();
    const holding = lock.hold(path, async () => {
      await first.work();
      return 'done';
    });
    await first.began;
    const waiting = codeOf(lock.hold(path, async () => {}));
    await lock.close();
    expect(await waiting).toBe('CLOSED');
    // Still held: closing takes nothing away from running work.
    expect(await codeOf(makeLock().hold(path, async () => {}, { timeoutMs: 20 }))).toBe('BUSY');
    first.end();
    expect(await holding).toBe('done');
    expect(await codeOf(lock.hold(path, async () => {}))).toBe('CLOSED');
    expect(await makeLock().hold(path, async () => 'in')).toBe('in');
  });
});
