/** Group commit: one transaction for all that was asked for in a tick, and no acknowledgement before it is on disk. */
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GroupWriter } from '../../../src/drivers/sqlite/group-writer.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

function setUp(busyTimeoutMs = 5_000) {
  const file = join(temporaryFolder(), 'k.db');
  const connect = (): Database => {
    const database = new SqliteDatabase(file, { timeout: 0 });
    onTestFinished(() => {
      database.close();
    });
    return database;
  };
  const database = connect();
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT');
  const insert = database.prepare('INSERT INTO notes VALUES (?)');
  const other = connect();
  const seen = () => other.prepare('SELECT text FROM notes ORDER BY rowid').pluck().all() as string[];
  return { database, other, seen, insert, writer: new GroupWriter(database, busyTimeoutMs) };
}

describe('a group', () => {
  it('is one transaction, invisible until all of it is there', async () => {
    const { writer, insert, seen } = setUp();
    const during: string[][] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((text) =>
        writer.run(() => {
          insert.run(text);
          during.push(seen());
        }),
      ),
    );
    expect(during).toEqual([[], [], []]);
    expect(seen()).toEqual(['a', 'b', 'c']);
  });

  it('is acknowledged after its commit', async () => {
    const { writer, insert, seen } = setUp();
    const first = writer.run(() => insert.run('a')).then(() => seen());
    const second = writer.run(() => insert.run('b')).then(() => seen());
    expect(await Promise.all([first, second])).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('hands every caller the result of his own work', async () => {
    const { writer } = setUp();
    expect(await Promise.all([1, 2, 3].map((n) => writer.run(() => n * n)))).toEqual([1, 4, 9]);
  });

  it('has a limit, and the rest follows in order', async () => {
    const { writer, insert, seen } = setUp();
    const texts = Array.from({ length: 1_300 }, (_, i) => `n${i}`);
    await Promise.all(texts.map((text) => writer.run(() => insert.run(text))));
    expect(seen()).toEqual(texts);
  });
});

describe('what is collected for one write', () => {
  /** Writes all that it was given as one row. */
  function collecting() {
    const parts = setUp();
    let collected: string[] = [];
    parts.writer.register({
      settle: () => {
        if (collected.length > 0) parts.insert.run(collected.join('+'));
        collected = [];
      },
      discard: () => {
        collected = [];
      },
    });
    const collect = (text: string) => parts.writer.run(() => collected.push(text), { joins: true });
    return { ...parts, collect };
  }

  it('is written once, in the transaction of those who gave it', async () => {
    const { collect, seen } = collecting();
    await Promise.all(
      ['a', 'b', 'c'].map((text) => collect(text).then(() => expect(seen()).toEqual(['a+b+c']))),
    );
  });

  it('is there for every job that does not join', async () => {
    const { collect, writer, insert, database, seen } = collecting();
    const read = () => database.prepare('SELECT text FROM notes').pluck().all();
    const [, , before] = await Promise.all([
      collect('a'),
      collect('b'),
      writer.run(() => [...read(), insert.run('c').changes]),
      collect('d'),
    ]);
    expect(before).toEqual(['a+b', 1]);
    expect(seen()).toEqual(['a+b', 'c', 'd']);
  });

  it('goes with the job that fails, and only with that', async () => {
    const { collect, writer, insert, seen } = collecting();
    const broken = writer.run(() => {
      insert.run('half done');
      throw new Error('broken');
    });
    await Promise.all([collect('a'), expect(broken).rejects.toThrow('broken'), collect('b')]);
    expect(seen()).toEqual(['a', 'b']);
    await collect('c');
    expect(seen()).toEqual(['a', 'b', 'c']);
  });
});

describe('a failure', () => {
  it('undoes its own work and none of its neighbours', async () => {
    const { writer, insert, seen } = setUp();
    const broken = new Error('broken');
    const results = await Promise.allSettled([
      writer.run(() => insert.run('a')),
      writer.run(() => {
        insert.run('half done');
        throw broken;
      }),
      writer.run(() => insert.run('b')),
      writer.run(() => insert.run('a')),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect(results[1]).toMatchObject({ reason: broken });
    expect(results[3]).toMatchObject({ reason: { code: 'CONFLICT' } });
    expect(seen()).toEqual(['a', 'b']);
  });

  it('leaves the connection ready for the next group', async () => {
    const { writer, insert, seen, database } = setUp();
    await expect(
      writer.run(() => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    expect(database.inTransaction).toBe(false);
    await writer.run(() => insert.run('after'));
    expect(seen()).toEqual(['after']);
  });
});

describe('another process that writes', () => {
  it('is waited for', async () => {
    const { writer, insert, seen, other } = setUp();
    other.exec("BEGIN IMMEDIATE; INSERT INTO notes VALUES ('theirs')");
    const waiting = writer.run(() => insert.run('ours'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    other.exec('COMMIT');
    await waiting;
    expect(seen()).toEqual(['theirs', 'ours']);
  });

  it('makes a write fail with BUSY when it takes too long, and nothing is half done', async () => {
    const { writer, insert, seen, other } = setUp(30);
    other.exec('BEGIN IMMEDIATE');
    await expect(writer.run(() => insert.run('ours'))).rejects.toMatchObject({
      code: 'BUSY',
      retryable: true,
    });
    other.exec('COMMIT');
    expect(seen()).toEqual([]);
    await writer.run(() => insert.run('ours'));
    expect(seen()).toEqual(['ours']);
  });
});

describe('between two groups', () => {
  it('no transaction is open, however close they follow one another', async () => {
    const { writer, insert, database } = setUp();
    const inside: boolean[] = [];
    await Promise.all(
      Array.from({ length: 1_200 }, async (_, i) => {
        await writer.run(() => insert.run(`n${i}`));
        if (i % 100 === 0) await writer.between(() => inside.push(database.inTransaction));
      }),
    );
    expect(inside).toEqual(Array.from({ length: 12 }, () => false));
  });

  it('a failure is the caller’s own', async () => {
    const { writer } = setUp();
    const failing = writer.between(() => {
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await writer.run(() => 7)).toBe(7);
  });
});

describe('closing', () => {
  it('finishes what was asked for, then refuses', async () => {
    const { writer, insert, seen } = setUp();
    const asked = Array.from({ length: 600 }, (_, i) => writer.run(() => insert.run(`n${i}`)));
    await writer.close();
    expect(seen()).toHaveLength(600);
    await Promise.all(asked);
    await expect(writer.run(() => insert.run('late'))).rejects.toMatchObject({ code: 'CLOSED' });
    await writer.close();
  });
});
