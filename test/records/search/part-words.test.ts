/** The words of the parts of a small scope: what is kept, and how long texts count. */
import { expect, it } from 'vitest';
import type { MemoryRecord } from '../../../src/kernel/record.ts';
import type { ScopePart } from '../../../src/ports/record-store.ts';
import { PartWords } from '../../../src/records/search/part-words.ts';
import { TermCounter } from '../../../src/records/search/term-counts.ts';

const record = (id: string, content: string, tags: readonly string[] = []) =>
  ({ id, version: 1, content, category: 'fact', tags }) as MemoryRecord;
const part = (name: string, ...records: readonly MemoryRecord[]): ScopePart => ({ name, records });

const filler = 'the weather was fair and nothing happened '.repeat(200);

it('the words of the last scope are kept, however many they are, and no others beyond the limit', () => {
  const words = new PartWords(new TermCounter(), 4);
  const scope = [part('own', record('a', 'apple plum pear cherry')), part('shared', record('b', 'tea milk'))];
  const first = words.of(scope);
  const again = words.of(scope);
  expect(again.map((each, i) => each === first[i])).toEqual([true, true]);
  words.of([part('other', record('c', 'dog cat bird'))]);
  expect(words.of(scope)[0]).not.toBe(first[0]);
});

it('a long text counts as a whole: each of its words as often as it stands there, a label once', () => {
  const content = `${filler} the quokka ${filler}`;
  const [words] = new PartWords(new TermCounter()).of([part('own', record('a', content, ['zebra']))]);
  const times = (term: string) => words!.holders.get(term)?.map((held) => held.times);
  expect(times('quokka')).toEqual([1]);
  expect(times('weather')).toEqual([400]);
  expect(times('zebra')).toEqual([0.6]);
  expect(words!.length).toBe(new TermCounter().whole(record('a', content)).length);
});

it('a record that says something else is counted again, and so is what no longer belongs to the part', () => {
  const words = new PartWords(new TermCounter());
  const [before] = words.of([part('own', record('a', 'apple'), record('b', 'plum'))]);
  const changed = { ...record('b', 'pear'), version: 2 };
  const [after] = words.of([part('own', record('a', 'apple'), changed)]);
  expect([before!.holders.has('plum'), after!.holders.has('plum'), after!.holders.has('pear')]).toEqual([
    true,
    false,
    true,
  ]);
  const [rest] = words.of([part('own', record('a', 'apple'))]);
  expect([...rest!.holders.keys()].sort()).toEqual(['appl', 'fact']);
});
