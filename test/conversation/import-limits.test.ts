/** Conversations that somebody sends are read in a thread: long ones whole, hostile ones within limits. */
import { expect, it } from 'vitest';
import { decodeParts } from '../../src/conversation/formats/decode-parts.ts';
import { itemsFromThread } from '../../src/documents/index.ts';

async function all(text: string) {
  const parts = [];
  for await (const part of decodeParts(text, undefined)) parts.push(part);
  return parts;
}

it('a long conversation comes in parts, whole and in order', async () => {
  const said = Array.from({ length: 1_050 }, (_, i) => ({
    role: 'user',
    content: `message ${i} ${'x'.repeat(40)}`,
  }));
  const parts = await all(JSON.stringify(said));
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.flatMap(({ messages }) => messages.map(({ content }) => content))).toEqual(
    said.map(({ content }) => content),
  );
  expect(new Set(parts.map(({ conversationId }) => conversationId)).size).toBe(1);
});

it('a mistake in a long conversation is named with its place, and nothing is handed out before', async () => {
  const lines = `${'{"role":"user","content":"hello there"}\n'.repeat(2_000)}{"role":`;
  await expect(all(lines)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { line: 2001 } });
});

it('a thread that takes too long or too much memory is ended, with words for it', async () => {
  const program = {
    source: 'src/conversation/formats/decode-thread.ts',
    compiled: 'dist/sdk/decode-thread.js',
  };
  const read = async (text: string, limits: { milliseconds: number; megabytes: number }) => {
    for await (const _ of itemsFromThread({ program, input: { text }, limits, what: 'This' })) return;
  };
  const keys = Array.from({ length: 300_000 }, (_, i) => `k${i}: 1`).join('\n');
  await expect(read(keys, { milliseconds: 60_000, megabytes: 40 })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: 'This takes more than 40 MB of memory to read.',
  });
  await expect(read(keys, { milliseconds: 1, megabytes: 500 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});
