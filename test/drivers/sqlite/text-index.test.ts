/** The text index: fed with our terms, asked with quoted ones, built again when the analysis changes. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { matchExpression, siloToken } from '../../../src/drivers/sqlite/match-expression.ts';
import { queryTerms } from '../../../src/kernel/analysis.ts';
import { addRecord, context, found, NO_CAP, updateRecord } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

describe('a match expression', () => {
  it('quotes every term, so that none is syntax', () => {
    expect(matchExpression(['a"b', 'AND', 'c\0d'], { role: 'admin' })).toBe(
      '{body labels} : ("a""b" OR "AND" OR "c d")',
    );
  });

  it('is limited to the silos that a viewer may see', () => {
    const alice = siloToken('alice');
    const shared = siloToken('');
    expect(matchExpression(['x'], { agent: 'alice', role: 'worker' })).toBe(
      `{body labels} : ("x") AND silo : ("${alice}" OR "${shared}")`,
    );
    expect(matchExpression(['x'], { role: 'reader' })).toBe(`{body labels} : ("x") AND silo : ("${shared}")`);
    expect(matchExpression(['x'], { role: 'admin' }, { agent: 'alice' })).toContain(`silo : ("${alice}" OR `);
  });
});

describe('the index', () => {
  it('is built again when another analysis made it', async () => {
    const file = join(temporaryFolder(), 'k.db');
    const before = await openSqlite({ file });
    const kept = await addRecord(before.records, { content: 'aardvark', scope: 'swarm', tags: ['zoo'] });
    const changed = await addRecord(before.records, { content: 'badger' });
    await updateRecord(before.records, changed.id, { content: 'civet' });
    const gone = await addRecord(before.records, { content: 'dingo' });
    await before.records.forget(gone.id, context());
    await before.close();

    const spoiled = new SqliteDatabase(file);
    spoiled.exec(`
      INSERT INTO records_text (records_text) VALUES ('delete-all');
      INSERT INTO records_text (rowid, body, labels, silo) VALUES (1, 'nonsense', '', '');
      UPDATE meta SET value = '0' WHERE key = 'analysis_version';
    `);
    spoiled.close();

    const { records, close } = await openSqlite({ file });
    expect(await found(records, ['aardvark'], { viewer: { role: 'reader' } })).toEqual([kept.id]);
    expect(await found(records, ['zoo'])).toEqual([kept.id]);
    expect(await found(records, ['civet'])).toEqual([changed.id]);
    expect(await found(records, ['badger', 'dingo', 'nonsens'])).toEqual([]);
    await close();
  });

  it('of the first analysis, which knew no other spelling of ß, is built again', async () => {
    const file = join(temporaryFolder(), 'k.db');
    const before = await openSqlite({ file });
    const { id } = await addRecord(before.records, { content: 'Straße' });
    await before.close();
    const old = new SqliteDatabase(file);
    old.exec(`
      INSERT INTO records_text (records_text) VALUES ('delete-all');
      INSERT INTO records_text (rowid, body, labels, silo) VALUES (1, 'straße', 'fact', '${siloToken('alice')}');
      UPDATE meta SET value = '1' WHERE key = 'analysis_version';
    `);
    old.close();
    for (const textSearch of ['fts5', 'resident'] as const) {
      const { records, close } = await openSqlite({ file, textSearch });
      for (const query of ['Strasse', 'STRASSE', 'straße']) {
        expect(await found(records, queryTerms(query))).toEqual([id]);
      }
      await close();
    }
  });

  it('agrees with the records after many changes, pruned and forgotten ones included', async () => {
    const { records, maintenance, close } = await openSqlite({ file: join(temporaryFolder(), 'k.db') });
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push((await addRecord(records, { content: `number ${i} of them` })).id);
    for (const [i, id] of ids.entries()) {
      if (i % 2 === 0)
        await updateRecord(records, id, { content: `changed ${i}`, tags: [`t${i}`], scope: 'swarm' });
      if (i % 5 === 0) await records.revert(id, 1, { maxFacts: NO_CAP }, context());
    }
    await Promise.all(ids.filter((_, i) => i % 7 === 0).map((id) => records.forget(id, context())));
    const findings = await maintenance.examine({ fix: false, now: 0 });
    expect(findings.filter((finding) => finding.check.startsWith('text.'))).toMatchObject([
      { severity: 'ok' },
      { severity: 'ok' },
      { severity: 'ok' },
    ]);
    await close();
  });

  // SQLite 3.53.4 leaves postings behind when a row is taken out and put in again within one transaction.
  it('has nothing of the old texts after long ones were changed many times', async () => {
    const storage = await openSqlite({ file: join(temporaryFolder(), 'k.db') });
    const long = (i: number) => Array.from({ length: 400 }, (_, n) => `w${(i * 31 + n * 7) % 997}`).join(' ');
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push((await addRecord(storage.records, { content: long(i) })).id);
    for (let i = 0; i < 60; i++) {
      await updateRecord(storage.records, ids[i % ids.length]!, { content: long(i * 13 + 5) });
    }
    const findings = await storage.maintenance.examine({ fix: false, now: 0 });
    expect(
      findings.filter(({ severity, check }) => severity === 'problem' && check.includes('text')),
    ).toEqual([]);
    expect(findings.some(({ check }) => check.includes('text'))).toBe(true);
    await storage.close();
  });
});
