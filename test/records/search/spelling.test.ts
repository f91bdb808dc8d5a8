/** Slips of the pen: which words are doubted, and what they are read as. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { analyze } from '../../../src/kernel/analysis.ts';
import { doubtsIn, meant } from '../../../src/records/search/spelling.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { ALICE, openRecords } from '../support/open-records.ts';
import { topicModel } from '../support/topic-model.ts';

/** What a question's words are read as when these are the words of the records. */
function read(query: string, ...vocabulary: string[]): string[] {
  const known = new Map(vocabulary.map((word, i) => [analyze(word)[0]!, 1 + i]));
  const frequencies = new Map(analyze(query).map((term) => [term, known.get(term) ?? 0]));
  return doubtsIn(query, frequencies).flatMap((doubt) => meant(doubt, known) ?? []);
}
const stem = (word: string): string => analyze(word)[0]!;

describe('a word that no record holds', () => {
  it.each([
    ['kuberentes', 'kubernetes'],
    ['postgers', 'postgres'],
    ['deployemnt', 'deployment'],
    ['authentification', 'authentication'],
    ['configuraton', 'configuration'],
    ['environmant', 'environment'],
    ['recieve', 'receive'],
  ])('%s is read as %s', (written, word) => {
    expect(read(`what about ${written} then`, word)).toEqual([stem(word)]);
  });

  it('is read as the one that more records hold, when there are two', () => {
    expect(read('bramblexo', 'bramblexa', 'bramblexu', 'zebra')).toEqual(['bramblexu']);
  });

  it.each([
    ['plane', 'place'],
    ['plane', 'planet'],
    ['wombat', 'combat'],
    ['house', 'mouse'],
    ['test', 'tset'],
    ['violet', 'violin'],
    ['encyclopedia', 'enterprise'],
    ['12345678', '12345679'],
  ])('%s is not taken for %s', (written, word) => {
    expect(read(written, word)).toEqual([]);
  });

  it('is left alone when it is known, however near another is', () => {
    expect(read('kuberentes', 'kuberentes', 'kubernetes')).toEqual([]);
  });

  it('costs a bounded number of looks, whatever the question is', () => {
    const question = Array.from({ length: 200 }, (_, i) => `abcdefghijklmnopqrst${'xyz'[i % 3]}uvw`).join(
      ' ',
    );
    const doubts = doubtsIn(question, new Map(analyze(question).map((term) => [term, 0])));
    expect(doubts).toHaveLength(3);
    for (const { near, far } of doubts) expect(near.length + far.length).toBeLessThan(3_000);
    expect(doubtsIn('x'.repeat(100_000), new Map([['x'.repeat(64), 0]]))).toEqual([]);
  });
});

describe.each(['fts5', 'resident'] as const)('search with a slip (%s)', (textSearch) => {
  it('finds the memory, says how it was read, and is less sure than without the slip', async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const { records } = await openRecords({
      file: join(folder, 'memory.db'),
      textSearch,
      open: async () => topicModel(),
    });
    await records.add({ content: 'The Kubernetes cluster runs in Frankfurt' }, ALICE);
    await records.add({ content: 'The dentist moved to the second floor' }, ALICE);
    const [hit, ...others] = await records.search({ query: 'kuberentes cluster' }, ALICE);
    expect(others).toEqual([]);
    expect(hit!.explain).toContain('"Kubernetes" for "kuberentes"');
    const [right] = await records.search({ query: 'kubernetes cluster' }, ALICE);
    expect(right!.explain).not.toContain(' for "');
    expect(right!.relevance).toBeGreaterThan(hit!.relevance);
  });
});
