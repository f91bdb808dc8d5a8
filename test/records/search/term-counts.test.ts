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

const asked = (term: string) => new Map([[term, 1]]);

it('a changed record is counted again', () => {
  const counter = new TermCounter();
  expect(counter.of(record('apple')).counts.has('appl')).toBe(true);
  expect(counter.of(record('plum', 2)).counts.has('appl')).toBe(false);
});

it('the same question gets the same counts, whatever was asked before', () => {
  const long = `apple ${'word '.repeat(20_000)} quokka`;
  const fresh = () => new TermCounter().of(record(long), asked('appl'));
  const counter = new TermCounter();
  counter.of(record(long), asked('quokka'));
  expect(counter.of(record(long), asked('appl'))).toEqual(fresh());
});

it('the end of a long text counts when the question asks for it', () => {
  const long = `apple ${'word '.repeat(20_000)} quokka`;
  const counter = new TermCounter();
  expect(counter.of(record(long), asked('appl')).counts.has('quokka')).toBe(false);
  expect(counter.of(record(long), asked('quokka')).counts.get('quokka')).toBe(1);
});

it('half of a character at the cut does no harm', () => {
  expect(new TermCounter().of(record(`${'a'.repeat(39_999)}🎉 tail`)).length).toBeGreaterThan(0);
});

it('a long text is counted by the passage that holds most of what is asked for', () => {
  const filler = (words: number) => 'the weather was fair and nothing happened '.repeat(words / 7);
  const text = `apple ${filler(3_000)} the apple pie of aunt Quokka ${filler(3_000)}`;
  const counter = new TermCounter();
  const weights = new Map([
    ['appl', 1],
    ['pie', 2],
    ['quokka', 3],
  ]);
  const { counts, passage, length } = counter.of(record(text), weights);
  expect([...weights.keys()].filter((term) => counts.has(term))).toHaveLength(3);
  expect(text.slice(passage!.start, passage!.end)).toContain('aunt Quokka');
  expect(length).toBeLessThan(1_000);
  expect(counter.of(record(text), asked('zebra')).passage!.start).toBe(0);
});

it('no word of a long text is in no passage', () => {
  const text = Array.from({ length: 4_000 }, (_, i) => `word${i}`).join(' ');
  const counter = new TermCounter();
  for (let i = 0; i < 4_000; i += 37) {
    expect(counter.of(record(text), asked(`word${i}`)).counts.has(`word${i}`)).toBe(true);
  }
  expect(counter.of(record(text), asked('word3999')).counts.has('word3999')).toBe(true);
});
