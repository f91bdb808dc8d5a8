/** A search that is narrowed to a file, a folder, a pattern, or to what metadata says. */
import { describe, expect, it } from 'vitest';
import { knowledgeWorkspace } from './support/fixture.ts';
import { makeXlsx } from './support/make-zip.ts';

async function library() {
  const workspace = knowledgeWorkspace();
  const { knowledge, write, path } = workspace;
  for (const name of ['docs/a.md', 'docs/deep/b.md', 'docs/c.txt', 'docsy/d.md'])
    write(name, `The zebra of ${name} has stripes.\n`);
  write(
    'docs/e.xlsx',
    makeXlsx({ Prices: [['what'], ['zebra stripes']], Notes: [['which'], ['zebra notes']] }),
  );
  await knowledge.add(path('docs'));
  await knowledge.add(path('docsy'));
  await knowledge.store('The zebra of the web has stripes.', {
    metadata: { url: 'https://example.org/zoo/zebra', topics: ['zoo', 'africa'] },
  });
  const found = async (options: object) =>
    (await knowledge.search('zebra stripes', { minRelevance: 0, ...options }))
      .map(({ citation }) => citation.replace(/[:#].*/, (rest) => (rest.startsWith('://') ? rest : '')))
      .sort();
  return { ...workspace, found };
}

describe('knowledge.search', () => {
  it('is narrowed by path: a file, a folder, a pattern, or an address', async () => {
    const { found, path } = await library();
    expect(await found({ path: 'docs' })).toEqual([
      'docs/a.md',
      'docs/c.txt',
      'docs/deep/b.md',
      'docs/e.xlsx',
      'docs/e.xlsx',
    ]);
    expect(await found({ path: path('docs/deep') })).toEqual(['docs/deep/b.md']);
    expect(await found({ path: 'docs/a.md' })).toEqual(['docs/a.md']);
    expect(await found({ path: '*.md' })).toEqual(['docs/a.md', 'docs/deep/b.md', 'docsy/d.md']);
    expect(await found({ path: 'docs/**/*.md' })).toEqual(['docs/a.md', 'docs/deep/b.md']);
    expect(await found({ path: 'docs/*.md' })).toEqual(['docs/a.md']);
    expect(await found({ path: 'https://example.org/' })).toEqual(['https://example.org/zoo/zebra']);
    expect(await found({ path: 'elsewhere' })).toEqual([]);
  });

  it('is narrowed by metadata: of a document, and of a passage', async () => {
    const { found, knowledge } = await library();
    expect(await found({ metadata: { topics: 'africa' } })).toEqual(['https://example.org/zoo/zebra']);
    expect(await found({ metadata: { topics: 'asia' } })).toEqual([]);
    expect(await found({ metadata: { sheet: 'Prices' } })).toEqual(['docs/e.xlsx']);
    const [hit] = await knowledge.search('zebra', { metadata: { sheet: 'Notes' }, minRelevance: 0 });
    expect(hit?.citation).toBe('docs/e.xlsx#sheet=Notes&row=1-2');
  });

  it('finds the only passage of a folder among many better ones of others', async () => {
    const { knowledge, write, path } = knowledgeWorkspace();
    for (let i = 0; i < 60; i++) write(`many/${i}.md`, `Zebra stripes, zebra stripes, number ${i}.\n`);
    write('few/one.md', 'A long text about horses, donkeys, mules and, at its end, one zebra.\n');
    await knowledge.add(path('many'));
    await knowledge.add(path('few'));
    const hits = await knowledge.search('zebra stripes', { path: 'few', limit: 3, minRelevance: 0 });
    expect(hits.map(({ citation }) => citation)).toEqual(['few/one.md:1']);
  });
});
