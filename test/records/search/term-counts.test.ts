/** The words of records, counted once and kept. */
import { expect, it } from 'vitest';
import { TermCounter } from '../../../src/records/search/term-counts.ts';

const record = (content: string, version = 1) => ({
  id: 'mem_1',
  version,
  content,
  category: 'fact',
  tags: [],
});

it('a changed record is counted again', () => {
  const counter = new TermCounter();
  expect(counter.of(record('apple')).counts.has('appl')).toBe(true);
  expect(counter.of(record('plum', 2)).counts.has('appl')).toBe(false);
});

it('the same question gets the same counts, whatever was asked before', () => {
  const long = `apple ${'word '.repeat(20_000)} quokka`;
  const fresh = () => new TermCounter().of(record(long), ['appl']);
  const counter = new TermCounter();
  counter.of(record(long), ['quokka']);
  expect(counter.of(record(long), ['appl'])).toEqual(fresh());
});

it('the end of a long text counts when the question asks for it', () => {
  const long = `apple ${'word '.repeat(20_000)} quokka`;
  const counter = new TermCounter();
  expect(counter.of(record(long), ['appl']).counts.has('quokka')).toBe(false);
  expect(counter.of(record(long), ['quokka']).counts.get('quokka')).toBe(1);
});

it('half of a character at the cut does no harm', () => {
  expect(new TermCounter().of(record(`${'a'.repeat(39_999)}🎉 tail`)).length).toBeGreaterThan(0);
});
