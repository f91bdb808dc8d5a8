/** Notebooks and texts in older encodings are found and cited like other documents. */
import { expect, it } from 'vitest';
import { knowledgeWorkspace } from './support/fixture.ts';

const PICTURE = 'iVBORw0KGgo'.repeat(400);
const NOTEBOOK = JSON.stringify(
  {
    metadata: { kernelspec: { language: 'python' } },
    nbformat: 4,
    cells: [
      { cell_type: 'markdown', source: ['# Harvest\n', '\n', 'Olives are counted in October.'] },
      {
        cell_type: 'code',
        source: 'total = sum(baskets)\nprint(total)',
        outputs: [
          { output_type: 'stream', text: ['4711 baskets\n'] },
          { output_type: 'display_data', data: { 'image/png': PICTURE, 'text/plain': ['<Figure size>'] } },
        ],
      },
    ],
  },
  null,
  1,
);
const lineOf = (word: string): number => NOTEBOOK.split('\n').findIndex((line) => line.includes(word)) + 1;

it('a notebook is indexed by cell, without its pictures, and cited by line', async () => {
  const { knowledge, write, path, chunks } = knowledgeWorkspace();
  write('docs/harvest.ipynb', NOTEBOOK);
  expect(await knowledge.add(path('docs'))).toMatchObject({ files: 1, skipped: [] });
  const [hit] = await knowledge.search('When are olives counted?');
  expect(hit!.content).toContain('# Harvest\n\nOlives are counted in October.');
  expect(hit!.content).toContain('```python\ntotal = sum(baskets)\nprint(total)\n```');
  expect(hit!.content).toContain('4711 baskets');
  expect(hit!.citation).toBe(`docs/harvest.ipynb:${lineOf('# Harvest')}-${lineOf('4711')}`);
  const all = (await chunks()).map(({ content }) => content).join('');
  expect(all).not.toContain('iVBOR');
  expect(all).not.toContain('Figure');
});

it('a file that is not a notebook is reported', async () => {
  const { knowledge, write, path } = knowledgeWorkspace();
  write('docs/broken.ipynb', '{"cells": 3}');
  const { skipped } = await knowledge.add(path('docs'));
  expect(skipped).toEqual([{ path: 'docs/broken.ipynb', reason: 'It is not a notebook that can be read.' }]);
});

it('text in Latin-1 and Windows-1252 is read, and a binary file without zeros is not', async () => {
  const { knowledge, write, path } = knowledgeWorkspace();
  write('docs/hours.txt', Buffer.from('Das Büro öffnet um acht, sagt der \x93Pförtner\x94.\n', 'latin1'));
  write(
    'docs/picture.dat',
    Uint8Array.from({ length: 256 }, (_, i) => (i === 0 ? 1 : i)),
  );
  const { skipped } = await knowledge.add(path('docs'));
  expect(skipped.map((each) => each.path)).toEqual(['docs/picture.dat']);
  const [hit] = await knowledge.search('Wann öffnet das Büro?');
  expect(hit!.content).toContain('Das Büro öffnet um acht, sagt der “Pförtner”.');
});
