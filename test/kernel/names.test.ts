/** Agent names are folder names: what could escape, collide or be swallowed by a file system is refused. */
import { describe, expect, it } from 'vitest';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { checkAgentName, DEFAULT_AGENT_NAME, foldAgentName } from '../../src/kernel/names.ts';

function refusal(name: unknown): KeepsakeError {
  try {
    checkAgentName(name);
  } catch (error) {
    if (KeepsakeError.is(error)) return error;
    throw error;
  }
  throw new Error(`${String(name)} was accepted.`);
}

describe('agent names that are fine', () => {
  it.each([
    DEFAULT_AGENT_NAME,
    'a',
    'research-agent',
    'Agent 007',
    'a_b.c-d',
    'Zoë',
    'エージェント',
    'अभिकर्ता',
    'constructor',
    '__proto__',
    'console',
    'common',
    'nullable',
    'memory',
    'x.memory.y',
    'a'.repeat(64),
    '𝒜'.repeat(50),
    'ä'.repeat(64),
  ])('%s', (name) => {
    expect(checkAgentName(name)).toBe(name);
  });
});

describe('agent names that are refused', () => {
  it.each([
    ['', /empty/],
    ['../../evil', /only letters/],
    ['a/b', /only letters/],
    ['a\\b', /only letters/],
    ['C:', /only letters/],
    ['..', /dot/],
    ['.', /dot/],
    ['.hidden', /starts with a dot/],
    ['a..b', /".."/],
    ['ends.', /ends with a dot/],
    [' a', /space/],
    ['a ', /space/],
    [' ', /space/],
    ['a\u0000b', /only letters/],
    ['a\nb', /only letters/],
    ['a\tb', /only letters/],
    ['a\u00a0b', /only letters/],
    ['a\u200bb', /only letters/],
    ['\u202egpj.exe', /only letters/],
    ['🤖', /only letters/],
    ['<script>', /only letters/],
    ['$HOME', /only letters/],
    ['a*', /only letters/],
    ['e\u0301', /normal form C/],
    ['half \ud800', /half of a character/],
    ['x.memory', /section files/],
    ['X.MEMORY', /section files/],
    ['a'.repeat(65), /longer than 64/],
    ['𝒜'.repeat(65), /longer than 64/],
    ['𝒜'.repeat(51), /longer than 200 bytes/],
  ])('%j', (name, reason) => {
    const error = refusal(name);
    expect(error).toMatchObject({ code: 'INVALID_NAME' });
    expect(error.message).toMatch(reason);
    expect(error.hint).toMatch(/64/);
  });

  it.each([
    'con',
    'CON',
    'prn',
    'aux',
    'nul',
    'NUL.txt',
    'com1',
    'COM9.log',
    'lpt0',
    'Lpt1',
    'com¹',
    'LPT³.a',
  ])('%s is a device on Windows', (name) => {
    expect(refusal(name).message).toMatch(/reserved device/);
  });

  it.each([undefined, null, 7, 10n, true, {}, [], Symbol('name'), () => 'name'])(
    '%s is no string',
    (name) => {
      expect(refusal(name)).toMatchObject({ code: 'INVALID_NAME' });
    },
  );

  it('does not repeat a name that is a megabyte long', () => {
    expect(refusal('a'.repeat(1_000_000)).message.length).toBeLessThan(1_000);
  });
});

describe('names that would share a folder', () => {
  it.each([
    ['Alice', 'alice'],
    ['ÉCOLE', 'école'],
    ['ＡＢＣ', 'abc'],
    ['ﬁle', 'file'],
  ])('%s folds like %s', (one, other) => {
    expect(foldAgentName(one)).toBe(foldAgentName(other));
  });

  it('different names fold differently', () => {
    expect(foldAgentName('alice')).not.toBe(foldAgentName('alicia'));
  });
});
