/** Addresses of Postgres: understood, or refused without betraying the password. */
import { expect, it } from 'vitest';
import { parseAddress } from '../../../src/drivers/postgres/address.ts';
import { joined, raw, sql, textOf } from '../../../src/drivers/postgres/sql.ts';
import { decodeText, encodeText } from '../../../src/drivers/postgres/text-values.ts';

const refusal = (text: string) => {
  try {
    parseAddress(text);
  } catch (error) {
    return error as { code: string; message: string; hint: string };
  }
  throw new Error(`${text} was accepted.`);
};

it('tells apart what the client, people and tables need', () => {
  expect(
    parseAddress(
      'postgres://me:secret@db.example:5433/app?schema=team_a&sslmode=require&options=-c%20jit%3Doff',
    ),
  ).toEqual({
    url: 'postgres://me:secret@db.example:5433/app?sslmode=require',
    place: 'db.example:5433/app',
    schema: 'team_a',
    options: '-c jit=off',
  });
  expect(parseAddress('postgresql:///app?host=/run/postgresql')).toMatchObject({
    place: '/run/postgresql/app',
    schema: 'keepsake',
  });
});

it('refuses others, and says no password', () => {
  const codes = [
    'mysql://me:secret@host/app',
    'secret',
    'postgres://h/a?schema=A"; DROP',
    'postgres://h/a?schema=',
  ].map((text) => {
    const { code, message, hint } = refusal(text);
    expect(`${message} ${hint}`).not.toContain('secret');
    return code;
  });
  expect(new Set(codes)).toEqual(new Set(['INVALID_CONFIG']));
});

it('numbers values through pieces of SQL that are put into each other', () => {
  const where = joined([sql`a = ${1}`, sql`b = ANY(${['x']})`, raw('TRUE')], ' AND ');
  const query = sql`SELECT * FROM t WHERE ${where} LIMIT ${5}`;
  expect(textOf(query)).toBe('SELECT * FROM t WHERE a = $1 AND b = ANY($2) AND TRUE LIMIT $3');
  expect(query.values).toEqual([1, ['x'], 5]);
});

it('keeps every text through the alphabet of Postgres, which has no NUL', () => {
  const parts = ['\0', '\u001a', '0', '1', 'a'];
  const texts = parts.flatMap((a) => parts.flatMap((b) => parts.flatMap((c) => [a + b + c])));
  expect(texts.map((text) => decodeText(encodeText(text)))).toEqual(texts);
  expect(texts.filter((text) => encodeText(text).includes('\0'))).toEqual([]);
  expect(new Set(texts.map(encodeText)).size).toBe(texts.length);
});
