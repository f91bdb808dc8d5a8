/** A long MEMORY.md does not fill the prompt: the start-up budget, and what it says about what it left out. */
import { describe, expect, it } from 'vitest';
import { talk, testConversation } from '../fixture.ts';

describe('the start-up budget', () => {
  it('loads the end of the file and says how much it left out', async () => {
    const { memory, restart, text } = await testConversation({ history: 'preamble' });
    await talk(memory, 200);
    const again = await restart({ startUpBytes: 4_000 });
    const { preamble, leftOutBytes, replayed } = await again.startUp();
    expect(replayed).toEqual([]);
    expect(Buffer.byteLength(preamble!)).toBeLessThan(4_300);
    expect(preamble).toContain('answer 200');
    expect(preamble).not.toContain('answer 100\n');
    expect(preamble).toMatch(/^# Agent Memory\n/);
    const size = Buffer.byteLength(text());
    expect(leftOutBytes).toBeGreaterThan(size - 4_300);
    expect(leftOutBytes).toBeLessThan(size);
    expect(preamble).toContain(`(${Math.ceil(leftOutBytes / 1024)} KiB of older messages`);
  });

  it('the note names a way to the rest that exists', async () => {
    const off = await testConversation({ history: 'preamble' });
    await talk(off.memory, 100);
    expect((await (await off.restart({ startUpBytes: 2_000 })).startUp()).preamble).toContain(
      'They stand in MEMORY.md itself.',
    );
    const low = await testConversation();
    await talk(low.memory, 100);
    const again = await low.restart({ startUpBytes: 2_000 });
    expect((await again.startUp()).preamble).toContain('Ask for more context');
    const { messages } = await again.moreContext({ limit: 500 });
    expect(messages[0]!.content).toBe('question 1');
  });

  it('counts to the byte: loaded and left out are the whole file', async () => {
    const { memory, restart, text } = await testConversation({ history: 'preamble' });
    for (let i = 0; i < 60; i++) await memory.add('User', `Nachricht ${i}: größer, schöner, 更好 🫖`);
    for (let budget = 1_500; budget < 1_560; budget++) {
      const { preamble, leftOutBytes } = await (await restart({ startUpBytes: budget })).startUp();
      const note = /\(\d+ KiB[^)]*\)\n\n/.exec(preamble!)![0];
      const loaded = Buffer.byteLength(preamble!.replace(note, ''));
      expect(loaded + leftOutBytes).toBe(Buffer.byteLength(text()));
      expect(loaded).toBeLessThanOrEqual(budget);
      expect(preamble).not.toContain('\ufffd');
      expect(text().endsWith(preamble!.slice(preamble!.indexOf(note) + note.length))).toBe(true);
    }
  });

  it('the turns are replayed as ever, and not told twice', async () => {
    const { memory, restart } = await testConversation();
    await talk(memory, 200);
    const again = await restart({ startUpBytes: 4_000 });
    expect(await again.turns()).toHaveLength(10);
    const text = await again.returnHistoryAsString();
    expect(text.match(/answer 200\b/g)).toHaveLength(1);
    expect((await again.turns())[0]!.seq).toBeTypeOf('number');
  });

  it('a summary at the head of the file is loaded although what follows it is left out', async () => {
    const { memory, restart, blocks } = await testConversation({ history: 'preamble' });
    await talk(memory, 2);
    await memory.compact({ summary: 'The customer number is 48151623.' });
    await talk(memory, 300);
    const again = await restart({ startUpBytes: 4_000 });
    const { preamble, leftOutBytes } = await again.startUp();
    expect(preamble).toContain('The customer number is 48151623.');
    expect(preamble).toContain('answer 300');
    expect(leftOutBytes).toBeGreaterThan(10_000);
    expect(Buffer.byteLength(preamble!)).toBeLessThan(4_300);
    // Nor does what was left out come back after the next compaction: it is in the archive.
    await again.compact({ summary: 'The customer number is still 48151623.' });
    expect(blocks()).toEqual(['System: [Compressed Memory Summary]\nThe customer number is still 48151623.']);
    expect((await again.archives.list()).map(({ messages }) => messages)).toEqual([4, 601]);
  });

  it('one message that is longer than the budget leaves a note instead of half of it', async () => {
    const { memory, restart } = await testConversation({ history: 'preamble' });
    await memory.add('User', 'x'.repeat(50_000));
    const { preamble } = await (await restart({ startUpBytes: 4_000 })).startUp();
    expect(preamble).toMatch(/\n\(49 KiB of older messages .*\)\n\n$/);
  });

  it('a file of megabytes is opened and added to without being read as a whole', async () => {
    const { memory, restart, blocks } = await testConversation();
    await Promise.all(
      Array.from({ length: 300 }, (_, i) => memory.add('User', `${i} ${'y'.repeat(10_000)}`)),
    );
    const again = await restart();
    expect((await again.startUp()).leftOutBytes).toBeGreaterThan(2_500_000);
    await again.add('User', 'the last one');
    expect(blocks().at(-1)).toBe('User: the last one');
  });
});
