/** The rule of who sees what, as each index compiles it: none hides a visible record, and each says what it promises. */
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { partitionOf, partitionsFor } from '../../../src/drivers/common/partitions.ts';
import { userColumn } from '../../../src/drivers/common/record-columns.ts';
import { recordWhere as postgresWhere, wordsWhere } from '../../../src/drivers/postgres/record-where.ts';
import { type Condition, conditionsOf } from '../../../src/drivers/qdrant/payload.ts';
import { matchExpression, ownerTokens } from '../../../src/drivers/sqlite/match-expression.ts';
import { recordBranches, recordWhere } from '../../../src/drivers/sqlite/record-where.ts';
import { defined } from '../../../src/kernel/defined.ts';
import { maySee, type Owned, type Scope, type Viewer } from '../../../src/kernel/scope.ts';
import type { RecordFilter } from '../../../src/ports/record-store.ts';
import { START } from '../../../src/testing/conformance/drafts.ts';

const AGENTS = ['alice', 'bob', 'swarm'];
/** One is called like an agent. */
const USERS = ['dana', 'Dana', 'alice'];
const VIEWERS: readonly Viewer[] = [undefined, ...AGENTS].flatMap((agent) =>
  [undefined, ...USERS].flatMap((user) =>
    (['admin', 'lead', 'worker', 'reader'] as const).map((role) => ({ role, ...defined({ agent, user }) })),
  ),
);
const RECORDS: readonly Owned[] = [...AGENTS, ''].flatMap((agent) =>
  // Without an agent there is only what is about a user.
  [...(agent === '' ? [] : [null]), ...USERS].flatMap((user) =>
    (['agent', 'swarm'] as const).map((scope) => ({ agent, user, scope })),
  ),
);
const FILTERS: readonly RecordFilter[] = [undefined, ...AGENTS].flatMap((agent) =>
  [undefined, null, 'dana'].flatMap((user) =>
    [undefined, [], ['agent'], ['swarm'], ['agent', 'swarm']].map((scopes) =>
      defined({ agent, user, scopes: scopes as Scope[] | undefined }),
    ),
  ),
);

const passes = ({ agent, user, scope }: Owned, filter: RecordFilter): boolean =>
  (filter.agent ?? agent) === agent &&
  (filter.user === undefined || filter.user === user) &&
  (filter.scopes?.includes(scope) ?? true);

const cases = VIEWERS.flatMap((viewer) => FILTERS.map((filter) => ({ viewer, filter })));
const visible = (viewer: Viewer, filter: RecordFilter) =>
  RECORDS.filter((record) => maySee(viewer, record) && passes(record, filter));

describe('partitions', () => {
  it('hold every record that may be found, and no other private ones', () => {
    for (const { viewer, filter } of cases) {
      const partitions = partitionsFor(viewer, filter);
      const found = visible(viewer, filter);
      const message = JSON.stringify({ viewer, filter, partitions });
      for (const record of found)
        expect(partitions ?? [partitionOf(record)], message).toContain(partitionOf(record));
      // All records are looked at for the owner of the workspace only; others never look at those of a user who is not theirs.
      if (partitions === undefined) expect(viewer.role, message).toBe('admin');
      else if (viewer.role !== 'admin') {
        const own = new Set(RECORDS.filter((record) => maySee(viewer, record)).map(partitionOf));
        for (const name of partitions) expect(own, message).toContain(name);
      }
    }
  });

  it('are searched for the shared ones only if these are wanted', () => {
    const alice = { agent: 'alice', role: 'worker' } as const;
    expect(partitionsFor(alice, {})).toEqual(['alice', '']);
    expect(partitionsFor(alice, { scopes: ['agent'] })).toEqual(['alice']);
    expect(partitionsFor(alice, { scopes: ['swarm'] })).toEqual(['']);
    expect(partitionsFor(alice, { scopes: [] })).toEqual([]);
    expect(partitionsFor(alice, { agent: 'bob' })).toEqual(['']);
    expect(partitionsFor({ role: 'worker' }, {})).toEqual(['']);
    expect(partitionsFor({ role: 'admin' }, { agent: 'bob', user: null })).toEqual(['bob', '']);
    expect(partitionsFor({ role: 'admin' }, { agent: 'bob' })).toBe(undefined);
    expect(partitionsFor({ role: 'admin' }, { user: 'dana' })).toEqual(['@dana']);
    expect(partitionsFor({ ...alice, user: 'dana' }, {})).toEqual(['alice', '', '@dana']);
    expect(partitionsFor({ user: 'dana', role: 'worker' }, {})).toEqual(['@dana', '']);
    expect(partitionsFor({ role: 'admin' }, {})).toBe(undefined);
  });
});

describe('SQL', () => {
  const database = new SqliteDatabase(':memory:');
  database.exec('CREATE TABLE records (agent, user_id, scope, forgotten_at, expires_at, source)');
  database.exec('CREATE TABLE words (agent, user_id, shared)');
  for (const { agent, user, scope } of RECORDS) {
    const column = userColumn(user);
    database
      .prepare('INSERT INTO records (agent, user_id, scope) VALUES (?, ?, ?)')
      .run(agent, column, scope);
    database.prepare('INSERT INTO words VALUES (?, ?, ?)').run(agent, column, Number(scope === 'swarm'));
  }
  const found = (sql: string, values: readonly unknown[]) =>
    database
      .prepare(`SELECT agent, nullif(user_id, '') AS user, scope FROM records r WHERE ${sql} ORDER BY rowid`)
      .all(...values);

  it('of SQLite selects just the visible records, in parts that have none in common', () => {
    for (const { viewer, filter } of cases) {
      const expected = visible(viewer, filter);
      const where = recordWhere(viewer, filter, ['live'], START);
      expect(found(where.sql, where.values), JSON.stringify({ viewer, filter })).toEqual(expected);
      const parts = recordBranches(viewer, filter, ['live'], START, { inOrder: true });
      const each = parts.flatMap(({ sql, values }) => found(sql, values));
      expect(each).toHaveLength(expected.length);
      expect(each).toEqual(expect.arrayContaining(expected));
    }
  });

  it('of Postgres selects just the visible records and words', () => {
    for (const viewer of VIEWERS) {
      const where = postgresWhere(viewer, {}, ['live'], START);
      // SQLite understands these conditions too.
      const expected = visible(viewer, {});
      expect(found(where.pieces.join('?'), where.values)).toEqual(expected);
      const words = wordsWhere(viewer, {});
      const rows = database
        .prepare(
          `SELECT agent, nullif(user_id, '') AS user, shared FROM words w WHERE ${words.pieces.join('?')} ORDER BY rowid`,
        )
        .all(...words.values);
      expect(rows).toEqual(
        expected.map(({ agent, user, scope }) => ({ agent, user, shared: Number(scope === 'swarm') })),
      );
    }
  });
});

describe('tokens of the text index', () => {
  it('mark the visible records and few others, and all of one agent when only these are asked for', () => {
    const database = new SqliteDatabase(':memory:');
    database.exec('CREATE VIRTUAL TABLE text USING fts5(body, labels, silo)');
    const add = database.prepare("INSERT INTO text VALUES ('word', '', ?)");
    for (const record of RECORDS) add.run(ownerTokens(record).join(' '));
    const find = database.prepare('SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid').pluck();
    const found = (expression: string) =>
      (find.all(expression) as number[]).map((rowid) => RECORDS[rowid - 1]);
    for (const viewer of VIEWERS) {
      const seen = visible(viewer, {});
      const marked = found(matchExpression(['word'], viewer));
      expect(marked).toEqual(expect.arrayContaining([...seen]));
      // What other agents know about the same user is left to the condition on the table.
      const others = marked.filter((record) => !maySee(viewer, record!));
      for (const record of others) expect(record!.user).toBe(viewer.user);
      const bobs = found(matchExpression(['word'], viewer, { agent: 'bob' }));
      expect(bobs).toEqual(expect.arrayContaining(seen.filter(({ agent }) => agent === 'bob')));
      for (const record of bobs) expect(record!.agent).toBe('bob');
    }
  });
});

describe('filters of Qdrant', () => {
  type Payload = Owned & { readonly expiresAt: number };

  function holds({ key, match, range, must, should, is_empty }: Condition, payload: Payload): boolean {
    if (is_empty !== undefined) return payload[is_empty.key as keyof Payload] === null;
    if (should !== undefined) return should.some((each) => holds(each, payload));
    if (must !== undefined) return must.every((each) => holds(each, payload));
    const value = payload[key as keyof Payload];
    if (range?.gt !== undefined) return (value as number) > range.gt;
    if (match === undefined) throw new Error(`Unknown condition on ${key}.`);
    return 'any' in match ? match.any.includes(value as string) : match.value === value;
  }

  it('let just the visible records pass', () => {
    for (const { viewer, filter } of cases) {
      const conditions = conditionsOf({ viewer, now: START, filter });
      const found = RECORDS.filter((record) =>
        conditions?.every((each) => holds(each, { ...record, expiresAt: START + 1 })),
      );
      expect(found, JSON.stringify({ viewer, filter })).toEqual(visible(viewer, filter));
    }
  });
});
