/**
 * What is read from files of other systems, in all the shapes they come in. The shapes are pinned: whoever moves the code must not
 * change what it reads (`vitest run -u` writes it again).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KeepsakeError } from '../../src/index.ts';
import { readForeign } from '../../src/transfer/foreign/read-foreign.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { zipFile } from './zip-file.ts';

async function read(
  content: string | Uint8Array,
  name = 'given',
  wanted?: Parameters<typeof readForeign>[1],
) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return readForeign(path, wanted).catch(({ code }: KeepsakeError) => code);
}

const mem0 = { id: '1', memory: 'Likes tea', user_id: 'sam' };
const claude = (messages: unknown[], more = {}) => [
  { uuid: 'c', name: 'n', chat_messages: messages, ...more },
];
const turn = (sender: string, text: string, more = {}) => ({
  ...{ uuid: `m-${text}`, sender, text, created_at: '2025-03-01T10:00:01Z', ...more },
});
const node = (id: string, parent: string | null, children: string[], message: object | null = null) => ({
  [id]: { id, parent, children, message: message === null ? null : { id, ...message } },
});
const said = (role: string, parts: unknown[], at: number | null = 1_736_209_401, more = {}) => ({
  ...{ author: { role }, create_time: at, content: { content_type: 'text', parts }, ...more },
});
const chat = (mapping: object, more = {}) => [
  { title: 't', create_time: 1, conversation_id: 'g', mapping, ...more },
];
const line = {
  ...node('r', null, ['a']),
  ...node('a', 'r', ['b'], said('user', ['Hi'])),
  ...node('b', 'a', [], said('assistant', ['Ho'])),
};

const JSONS: Readonly<Record<string, unknown>> = {
  'mem0 list': [mem0, { memory: '' }, 7],
  'mem0 results': { results: [mem0] },
  'mem0 memories': {
    memories: [{ ...mem0, categories: ['a', ' b\u0007c '], metadata: { category: 'd', x: 1 } }],
  },
  'mem0 times': [
    { ...mem0, created_at: '2025-07-26T08:00:00-07:00' },
    { ...mem0, created_at: 1_700_000_000 },
    { ...mem0, createdAt: 1_700_000_000_000 },
    { ...mem0, created_at: 1e11 },
    { ...mem0, created_at: 99_999_999_999 },
    { ...mem0, created_at: 'never' },
    { ...mem0, created_at: -5 },
  ],
  'mem0 relations': {
    results: [mem0],
    relations: [
      { source: 'a', relationship: 'works_at', target: 'b' },
      { source: 'a', relation: 'is', destination: 'c' },
      { source: 'a', target: 'b' },
      'x',
    ],
  },
  'mem0 relations that are no list': { results: [mem0], relations: { length: 1 } },
  'a list without memories': [{ content: 'x' }],
  'mem0 without entries': { results: [] },
  'server memory whole': {
    type: 'entity',
    name: 'Ada',
    entityType: 'person',
    observations: ['is tall', 'Ada sings', 7],
  },
  'server memory graph': {
    entities: [{ name: 'Ada', entityType: 'person', observations: [] }],
    relations: [],
  },
  claude: claude([turn('human', 'Hi'), turn('assistant', 'Ho'), turn('human', '')]),
  'claude with parts': claude([
    turn('human', '', {
      content: [{ type: 'text', text: 'A' }, { type: 'image' }, { type: 'text', text: 'B' }],
    }),
    turn('assistant', 'C', { attachments: [{ file_name: 'f', extracted_content: 'D' }, { file_name: 'g' }] }),
    turn('human', 'E', { created_at: 'never' }),
    turn('robot', 'F'),
  ]),
  'claude empty': claude([]),
  chatgpt: chat(line, { current_node: 'b' }),
  'chatgpt without a place': chat(line),
  'chatgpt elsewhere': chat(line, { current_node: 'zz' }),
  'chatgpt folded': chat(
    {
      ...line,
      ...node('a', 'r', ['x', 'b'], said('user', ['Hi'])),
      ...node('x', 'a', [], said('assistant', ['No'])),
    },
    { current_node: 'b' },
  ),
  'chatgpt hidden': chat(
    { ...node('r', null, ['a']), ...node('a', 'r', [], said('user', ['x'], 5, { weight: 0 })) },
    { current_node: 'a' },
  ),
  'chatgpt parts': chat(
    { ...node('a', null, [], said('tool', ['p', '', { content_type: 'image' }, { text: 'q' }], null)) },
    { current_node: 'a' },
  ),
  'chatgpt circle': chat(
    { ...node('a', 'b', ['b'], said('user', ['1'])), ...node('b', 'a', ['a'], said('user', ['2'])) },
    { current_node: 'a' },
  ),
  nothing: {},
  number: 7,
};

it('of every shape of JSON', async () => {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(JSONS)) {
    lines.push(`${name}: ${JSON.stringify(await read(JSON.stringify(value)))}`);
  }
  for (const wanted of ['mem0', 'server-memory', 'claude', 'chatgpt', 'markdown'] as const) {
    for (const name of ['mem0 list', 'claude', 'chatgpt', 'nothing']) {
      lines.push(
        `${name} as ${wanted}: ${JSON.stringify(await read(JSON.stringify(JSONS[name]), 'x.json', wanted))}`,
      );
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('pinned/foreign.txt');
});

it('of texts that are no JSON, half of it, or Markdown', async () => {
  const entity = JSON.stringify(JSONS['server memory whole']);
  const texts: Readonly<Record<string, string | Uint8Array>> = {
    'lines.jsonl': `${entity}\n\n${entity}\n`,
    'bad line.jsonl': `${entity}\n{"type":\n`,
    'cut.json': '[{"memory":"x"',
    'words.json': 'hello there',
    'empty.json': '',
    'mark.json': `\ufeff${JSON.stringify([mem0])}`,
    'latin.json': Buffer.from([0x22, 0xe9, 0x22]),
    'a.md': '# A\n\ntext',
    'a.MDX': 'text',
    'blank.md': ' \n ',
    'a.txt': 'plain',
    'a.rst': 'plain',
  };
  const lines: string[] = [];
  for (const [name, text] of Object.entries(texts))
    lines.push(`${name}: ${JSON.stringify(await read(text, name))}`);
  const folder = temporaryFolder();
  for (const [name, text] of [
    ['b.md', 'B'],
    ['sub/c.txt', 'C'],
    ['.hidden/d.md', 'D'],
    ['node_modules/e.md', 'E'],
    ['f.png', 'F'],
    ['g.md', ''],
  ] as const) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { documents, skipped, format } = await readForeign(folder);
  lines.push(JSON.stringify([format, skipped, documents.toSorted((a, b) => (a.name < b.name ? -1 : 1))]));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('pinned/texts.txt');
  await expect(readForeign(folder, 'mem0')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(readForeign(temporaryFolder())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('of a ZIP', () => {
  const text = JSON.stringify(JSONS.claude);
  const titles = async (...given: Parameters<typeof zipFile>) => {
    const found = await read(zipFile(...given));
    return typeof found === 'string' ? found : found.conversations.map(({ messages }) => messages.length);
  };
  const name = 'conversations.json';

  it.each([
    ['one', [{ name, text }], [2]],
    ['one that is not compressed', [{ name, text, stored: true }], [2]],
    ['one in a folder', [{ name: `export/${name}`, text }], [2]],
    [
      'several',
      [
        { name: 'conversations-1.json', text },
        { name: 'conversations-2.json', text },
      ],
      [2, 2],
    ],
    [
      'one behind others',
      [
        { name: 'user.json', text: '{}', comment: 'c' },
        { name, text, extra: 9 },
        { name: 'z', text: '' },
      ],
      [2],
    ],
    [
      'one behind one with further fields',
      [
        { name: 'a', text: 'a', extra: 300, comment: 'abc' },
        { name, text },
      ],
      [2],
    ],
    ['none', [{ name: 'other.json', text }], 'NOT_FOUND'],
    ['one of that name that is not', [{ name: 'myconversations.json', text }], 'NOT_FOUND'],
    ['one that is encrypted', [{ name, text, encrypted: true }], 'CORRUPT'],
    ['one that is packed otherwise', [{ name, text, method: 9 }], 'CORRUPT'],
    ['one with another checksum', [{ name, text, crc: 1 }], 'CORRUPT'],
    ['one that is longer than it says', [{ name, text, size: text.length - 1 }], 'CORRUPT'],
    ['one that is shorter than it says', [{ name, text, size: text.length + 1 }], 'CORRUPT'],
  ] as const)('with %s', async (_, parts, expected) => {
    expect(await titles(parts)).toEqual(expected);
  });

  it('with a comment at its end, also a long one', async () => {
    expect(await titles([{ name, text }], 'written by somebody')).toEqual([2]);
    expect(await titles([{ name, text }], 'x'.repeat(65_535))).toEqual([2]);
  });

  it('that was cut off', async () => {
    const whole = zipFile([{ name, text }]);
    for (const length of [whole.length - 1, whole.length - 22, 40, 4]) {
      expect(await read(whole.subarray(0, length))).toBe('CORRUPT');
    }
  });
});
