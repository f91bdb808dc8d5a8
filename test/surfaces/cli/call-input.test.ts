/** Input from positionals and flags, and complaints in the words that were typed. */
import { describe, expect, it } from 'vitest';
import { KeepsakeError } from '../../../src/kernel/errors.ts';
import type { CliPositional } from '../../../src/kernel/verb.ts';
import { callInput, inTermsOfFlags } from '../../../src/surfaces/cli/call-input.ts';
import { flagsOf } from '../../../src/surfaces/cli/flags.ts';
import { verbs } from '../../../src/verbs.ts';

const content: CliPositional = { key: 'content', kind: 'text' };
const id: CliPositional = { key: 'id', kind: 'id' };
const add = flagsOf(verbs.memoryAdd.input);
const update = flagsOf(verbs.memoryUpdate.input);
const silent = (): void => {};

describe('callInput', () => {
  it('joins words that were not quoted', async () => {
    const input = await callInput(
      { positionals: [content] },
      [['Prefers', 'short', 'answers.']],
      add,
      {},
      silent,
    );
    expect(input).toEqual({ content: 'Prefers short answers.' });
  });

  it('takes the flag instead', async () => {
    const input = await callInput(
      { positionals: [content] },
      [[]],
      add,
      { content: 'x', category: 'fact' },
      silent,
    );
    expect(input).toEqual({ content: 'x', category: 'fact' });
  });

  it('refuses both', async () => {
    const call = callInput({ positionals: [content] }, [['a']], add, { content: 'b' }, silent);
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', message: /twice/ });
  });

  it('says what is missing and how to give it', async () => {
    const call = callInput({ positionals: [content] }, [[]], add, {}, silent);
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', hint: /--content.*stdin/ });
  });

  it('lets an optional text be absent', async () => {
    const input = await callInput(
      { positionals: [id, content] },
      ['mem_1', []],
      update,
      { pinned: true },
      silent,
    );
    expect(input).toEqual({ id: 'mem_1', pinned: true });
  });
});

describe('paths', () => {
  it('are for the command itself, wherever they stand', async () => {
    const file: CliPositional = { key: 'file', kind: 'path', description: 'A file' };
    const call = callInput({ positionals: [file, content] }, ['x.json', ['a']], add, {}, silent);
    await expect(call).resolves.toEqual({ content: 'a' });
  });
});

describe('inTermsOfFlags', () => {
  const wrong = new KeepsakeError('INVALID_INPUT', 'memory.update cannot take this.', {
    details: {
      problems: [
        { path: 'minConfidence', message: 'Too big' },
        { path: 'id', message: 'Too long.' },
        { path: 'tags.3', message: 'Empty.' },
        { path: '', message: 'Odd.' },
      ],
    },
  });

  it('names flags and arguments', () => {
    expect(inTermsOfFlags(wrong, [id], 'keepsake memory update')).toMatchObject({
      code: 'INVALID_INPUT',
      message: '--min-confidence: Too big.\n<id>: Too long.\n--tags: Empty.\nOdd.',
      hint: 'Run "keepsake memory update --help" to see what it takes.',
      details: wrong.details,
    });
  });

  it('leaves every other error alone', () => {
    const other = new KeepsakeError('NOT_FOUND', 'gone');
    expect(inTermsOfFlags(other, [id], 'x')).toBe(other);
    expect(inTermsOfFlags('text', [id], 'x')).toBe('text');
  });
});
