/** One class, closed codes, one table that every surface can rely on. */
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorCode, KeepsakeError, toKeepsakeError } from '../../src/kernel/errors.ts';

const codes = Object.keys(ERROR_TABLE) as ErrorCode[];

describe('the error table', () => {
  it.each(codes)('%s says what every surface needs', (code) => {
    const { http, mcp, exit, retry } = ERROR_TABLE[code];
    expect(Number.isInteger(http) && http >= 400 && http <= 599).toBe(true);
    expect([-32602, -32603]).toContain(mcp);
    expect(Number.isInteger(exit) && exit > 0 && exit < 256).toBe(true);
    expect(typeof retry).toBe('boolean');
    expect(new KeepsakeError(code, 'text').retryable).toBe(retry);
  });

  it("blames the caller in HTTP exactly where it blames the caller's parameters in MCP", () => {
    const aborted = 'ABORTED';
    for (const code of codes.filter((name) => name !== aborted)) {
      expect([code, ERROR_TABLE[code].http < 500]).toEqual([code, ERROR_TABLE[code].mcp === -32602]);
    }
  });

  it('asks to try again only where waiting can help', () => {
    expect(codes.filter((code) => ERROR_TABLE[code].retry).toSorted()).toEqual([
      'BUSY',
      'RATE_LIMITED',
      'STORAGE_FAILED',
      'STORAGE_FULL',
      'TIMEOUT',
      'UNAVAILABLE',
    ]);
  });
});

describe('a KeepsakeError', () => {
  it('carries code, message, hint, details and cause', () => {
    const cause = new Error('below');
    const error = new KeepsakeError('BUSY', 'text', { hint: 'wait', details: { id: 'x' }, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'KeepsakeError',
      code: 'BUSY',
      message: 'text',
      hint: 'wait',
      cause,
    });
    expect(error.details).toEqual({ id: 'x' });
    expect(error.stack).toContain('errors.test.ts');
  });

  it('has no cause of its own when none was given', () => {
    expect('cause' in new KeepsakeError('BUSY', 'text')).toBe(false);
  });

  it('becomes JSON without its cause, its stack, or empty fields', () => {
    const full = new KeepsakeError('CONFLICT', 'text', {
      hint: 'again',
      details: { found: 2 },
      cause: new Error('secret'),
    });
    expect(JSON.parse(JSON.stringify(full))).toEqual({
      code: 'CONFLICT',
      message: 'text',
      hint: 'again',
      details: { found: 2 },
    });
    expect(JSON.parse(JSON.stringify(new KeepsakeError('CLOSED', 'text')))).toEqual({
      code: 'CLOSED',
      message: 'text',
    });
  });

  it('is recognised across two copies of the package', async () => {
    const copy: string = '../../src/kernel/errors.ts?another-copy';
    const other = (await import(/* @vite-ignore */ copy)) as typeof import('../../src/kernel/errors.ts');
    const foreign = new other.KeepsakeError('BUSY', 'from the other copy');
    expect(foreign).not.toBeInstanceOf(KeepsakeError);
    expect(KeepsakeError.is(foreign)).toBe(true);
    expect(toKeepsakeError(foreign)).toBe(foreign);
  });

  it.each([undefined, null, 'text', 7, {}, new Error('plain'), { code: 'BUSY', message: 'look-alike' }])(
    'is not %s',
    (value) => {
      expect(KeepsakeError.is(value)).toBe(false);
    },
  );
});

describe('anything else that is thrown', () => {
  it.each([
    [new TypeError('broken'), 'broken'],
    ['a string', 'a string'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('%s becomes INTERNAL and stays as the cause', (thrown, message) => {
    const error = toKeepsakeError(thrown);
    expect(error).toMatchObject({ code: 'INTERNAL', message });
    expect(error.cause).toBe(thrown);
    expect(error.hint).toMatch(/report/);
  });
});
