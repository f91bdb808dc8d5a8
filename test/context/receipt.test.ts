/** Budgets, and the receipt that tells what they did. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble, renderReceipt, shownId } from '../../src/context/index.ts';
import { estimateTokens, type MemoryRecord } from '../../src/index.ts';
import { NOON, prompt, remembering, textAt } from './fixture.ts';

describe('the budget', () => {
  it('B-06: 2,000 characters unless told otherwise, of whole entries; a shorter one takes the place of a longer one', async () => {
    const long = `boiler ${'manual page '.repeat(150)}`;
    const longer = `boiler boiler ${'manual leaf '.repeat(60)}`;
    const { recalled } = await remembering([long, longer, 'The boiler is in the cellar.'], 'boiler');
    expect(recalled.relevant).toHaveLength(3);
    const { receipt, recalled: told } = prompt({ memory: recalled });
    expect(told.charsInjected).toBeLessThanOrEqual(2_000);
    expect(receipt.slots.find(({ slot }) => slot === 'memory')?.budget).toBe(2_000);
    expect(told.entryCount).toBe(2);
    expect(receipt.dropped).toMatchObject([{ slot: 'memory', reason: 'budget' }]);
  });

  it('B-06: whatever the texts and the budget are, entries are whole or absent and the budget holds', async () => {
    const { memory } = await remembering([], 'x');
    const record = (await memory.add({ content: 'x' })) as MemoryRecord;
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...'ab <>/\n|🌹é混👩‍🚀'), minLength: 1, maxLength: 60 }), {
          maxLength: 12,
        }),
        fc.nat(400),
        (texts, maxCharsInjected) => {
          const standing = texts.map((text, i) => {
            return {
              ...record,
              id: `mem_${'0'.repeat(18)}${String(i).padStart(8, '0')}`,
              content: `${text}|end${i}|`,
            };
          });
          const { messages, receipt, recalled } = assemble({
            now: NOON,
            agent: 'alice',
            history: [],
            memory: { standing, relevant: [] },
            budgets: { maxCharsInjected },
          });
          const text = messages[0]!.content as string;
          expect(text.isWellFormed()).toBe(
            texts.every((t, i) => !text.includes(`|end${i}|`) || t.isWellFormed()),
          );
          expect(recalled.charsInjected).toBeLessThanOrEqual(maxCharsInjected);
          const shown = new Set(receipt.memories.map(({ id }) => id));
          for (const [i, { id }] of standing.entries())
            expect(text.includes(`|end${i}|`)).toBe(shown.has(id));
          expect(receipt.dropped.length + receipt.memories.length).toBe(standing.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('B-06, B-14: what always holds leaves room for what the task calls for; what is pinned goes first', async () => {
    const wishes = Array.from({ length: 20 }, (_, i) => {
      return { content: `Wish ${i}: ${'please '.repeat(20)}`, category: 'preference', pinned: i < 2 };
    });
    // Longer than what is left where as many wishes as fit went first.
    const boiler = `The boiler is in the cellar. ${'It hums. '.repeat(20)}`;
    const { recalled } = await remembering([...wishes, boiler], 'boiler');
    const shown = (maxCharsInjected: number) =>
      textAt(prompt({ memory: recalled, budgets: { maxCharsInjected } }), 0);
    expect(shown(2_000)).toContain('cellar');
    expect(shown(2_000).match(/Wish/g)!.length).toBeGreaterThan(5);
    expect(shown(900).match(/Wish [01]:/g)).toHaveLength(2);
    expect(shown(900)).toContain('cellar');
  });

  it.each([
    ['preferences', false],
    ['pinned preferences', true],
  ])(
    'B-06, B-14: sixteen short %s leave a quarter of the room to what was found for the task',
    async (_, pinned) => {
      const wishes = Array.from({ length: 16 }, (_, i) => {
        return { content: `Wants answer number ${i} in verse, with rhymes.`, category: 'preference', pinned };
      });
      const facts = Array.from(
        { length: 16 },
        (_, i) => `The boiler number ${i} hums in the cellar at night.`,
      );
      const { recalled } = await remembering([...wishes, ...facts], 'boiler cellar hums');
      const { receipt } = prompt({ memory: recalled });
      const characters = (kind: string) =>
        receipt.memories.reduce((sum, each) => sum + (each.kind === kind ? each.characters : 0), 0);
      expect(characters('relevant')).toBeGreaterThan(0.2 * 2_000);
      expect(characters('standing')).toBeGreaterThan(0.4 * 2_000);
    },
  );

  it('B-06, B-38: the budget counts the whole block, and charsInjected is what is sent', async () => {
    const facts = Array.from({ length: 40 }, (_, i) => `The boiler number ${i} hums in the cellar at night.`);
    const { memory, recalled } = await remembering(facts, 'boiler cellar hums');
    for (const maxCharsInjected of [100, 276, 300, 500, 1_000, 2_000]) {
      const made = prompt({ memory: recalled, budgets: { maxCharsInjected } });
      const block = /<memory-context>[\s\S]*<\/memory-context>/.exec(textAt(made, 0))?.[0] ?? '';
      expect(block.length).toBeLessThanOrEqual(maxCharsInjected);
      expect(made.recalled.charsInjected).toBe(block.length);
    }
    const both = prompt({
      memory: { standing: [], relevant: recalled.relevant.slice(0, 1) },
      relevantKnowledge: (await memory.search('boiler cellar hums')).slice(1, 3),
      task: 'boiler',
    });
    const beside = textAt(both, -1).split('\n\n## Task')[0]!;
    const inSystem = /<memory-context>[\s\S]*<\/memory-context>/.exec(textAt(both, 0))![0];
    expect(both.recalled).toEqual({ entryCount: 3, charsInjected: inSystem.length + beside.length });
  });

  describe.each([
    ['maxCharsInjected', 'memory'],
    ['maxCharsPastKnowledge', 'pastKnowledge'],
    ['maxCharsDocuments', 'documents'],
  ] as const)('B-06: %s holds to the character', (budget, slot) => {
    /** The entries as they are shown with room for all of them, and how many are shown with so much room. */
    async function entries() {
      const { memory, recalled } = await remembering(
        ['The boiler is in the cellar.', 'The boiler was mended in the month of May.'],
        'boiler',
      );
      const { relevant } = recalled;
      const given = {
        memory: { memory: recalled },
        pastKnowledge: { relevantKnowledge: await memory.search('boiler') },
        documents: {
          documents: relevant.map(({ content: text }, i) => ({ text, citation: `${i}.md`, relevance: 1 })),
        },
      }[slot];
      const shown = (characters: number) => {
        const { messages, receipt } = prompt({ ...given, budgets: { [budget]: characters } });
        const lines = messages.flatMap(({ content }) => String(content).split('\n'));
        const entries = lines.filter((line) => line.startsWith('- ['));
        const sent = receipt.slots.find((each) => each.slot === slot)?.characters ?? 0;
        return { lines: entries, receipt, around: sent - entries.join('\n').length };
      };
      return { shown, texts: shown(10_000).lines, around: shown(10_000).around };
    }

    it('one entry', async () => {
      const { shown, texts, around } = await entries();
      expect(texts).toHaveLength(2);
      const shorter = around + Math.min(...texts.map((text) => text.length));
      expect(shown(shorter).lines).toHaveLength(1);
      expect(shown(shorter - 1).lines).toEqual([]);
      expect(shown(shorter - 1).receipt.dropped).toMatchObject([
        { slot, reason: 'budget' },
        { slot, reason: 'budget' },
      ]);
    });

    it('two, with the line feed between them', async () => {
      const { shown, texts, around } = await entries();
      const both = around + texts[0]!.length + 1 + texts[1]!.length;
      expect(shown(both).lines).toEqual(texts);
      expect(shown(both - 1).lines).toHaveLength(1);
    });
  });

  it('nothing fits into a budget of nothing, and then there is no block', async () => {
    const { recalled } = await remembering(['The boiler is in the cellar.'], 'boiler');
    const made = prompt({ memory: recalled, budgets: { maxCharsInjected: 0 } });
    expect(textAt(made, 0)).not.toContain('memory-context');
    expect(made.receipt.dropped).toMatchObject([{ reason: 'budget' }]);
  });
});

describe('the receipt', () => {
  it('tells of each memory why it is there, with all factors, and of the rest why not; it holds no content', async () => {
    const question = 'Where is the boiler in the cellar?';
    const { memory, recalled: answers } = await remembering(
      [
        { content: 'Prefers tea.', category: 'preference' },
        'The boiler is in the cellar.',
        'The boiler was mended in May.',
        'The boiler of the neighbour is red, says Zoe from the second floor of the house.',
      ],
      question,
    );
    const recalled = { ...answers, relevant: await memory.search(question, { all: true }) };
    const [best, ...others] = recalled.relevant;
    const weakest = others.at(-1)!;
    const { receipt } = prompt({
      session: 'ses_1',
      model: 'test/model',
      memory: recalled,
      relevantKnowledge: await memory.search('boiler cellar'),
      history: [{ role: 'user', content: 'Good. The boiler was mended in May!' }],
      budgets: { minRelevance: weakest.relevance + 0.001 },
    });
    expect(receipt).toMatchObject({
      version: 1,
      at: NOON,
      agent: 'alice',
      session: 'ses_1',
      model: 'test/model',
    });
    expect(receipt.memories[0]).toMatchObject({ kind: 'standing', category: 'preference', relevance: null });
    expect(receipt.memories[1]).toMatchObject({
      id: best!.id,
      shortId: best!.id.slice(-8),
      slot: 'memory',
      kind: 'relevant',
      relevance: best!.relevance,
      score: best!.score,
      factors: best!.factors,
      explain: best!.explain,
    });
    const reasons = receipt.dropped.map(({ slot, reason }) => `${slot}: ${reason}`);
    expect(reasons).toContain('memory: duplicate');
    expect(reasons).toContain('memory: threshold');
    expect(reasons).toContain('pastKnowledge: duplicate');
    expect(JSON.parse(JSON.stringify(receipt))).toEqual(receipt);
    expect(
      JSON.stringify({ ...receipt, memories: receipt.memories.map(({ explain: _, ...rest }) => rest) }),
    ).not.toMatch(/tea|cellar|Zoe/);
    expect(shownId(receipt, `#${best!.id.slice(-8)}`)).toBe(best!.id);
    expect(shownId(receipt, best!.id)).toBe(best!.id);
    expect(shownId(receipt, 'nobody')).toBeUndefined();
  });

  it('shows what always holds although the conversation says it, and each memory once', async () => {
    const { memory } = await remembering(
      [
        { content: 'Prefers tea.', category: 'preference' },
        { content: 'Never shout at the boiler.', pinned: true },
        'The boiler is in the cellar.',
      ],
      'x',
    );
    const { memories: standing } = await memory.standing();
    const hits = await memory.search('boiler', { minRelevance: 0 });
    const pinned = hits.find(({ pinned }) => pinned)!;
    const said = ['Prefers tea.', 'Never shout at the boiler.', 'The boiler is in the cellar.'].join('\n');
    const { receipt, messages } = prompt({
      memory: { standing, relevant: hits },
      relevantKnowledge: [pinned],
      history: [{ role: 'user', content: said }],
    });
    expect(receipt.memories.map(({ id }) => id).toSorted()).toEqual(standing.map(({ id }) => id).toSorted());
    expect(receipt.dropped.map(({ slot, reason }) => `${slot}: ${reason}`).toSorted()).toEqual([
      'memory: duplicate',
      'memory: duplicate',
      'pastKnowledge: duplicate',
    ]);
    expect(JSON.stringify(messages).match(/· preference ·/g)).toHaveLength(1);
    // A hit that is pinned, and not standing besides, holds whatever was said.
    const alone = prompt({
      memory: { standing: [], relevant: [pinned] },
      history: [{ role: 'user', content: said }],
    });
    expect(alone.receipt.memories).toMatchObject([{ id: pinned.id, kind: 'relevant' }]);
  });

  it('counts the entries of each slot', async () => {
    const { recalled } = await remembering(['The boiler is in the cellar.', 'The boiler hums.'], 'boiler');
    const { receipt } = prompt({
      ...{
        memory: recalled,
        soul: 'Calm.',
        rules: 'Never.',
        sectionsIndex: '- a',
        startUp: 'x',
        task: 'Where?',
      },
      history: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    });
    expect(Object.fromEntries(receipt.slots.map(({ slot, entries }) => [slot, entries]))).toEqual({
      ...{ clock: 1, memory: 2, sections: 1, soul: 1, instructions: 1, rules: 1, persistentMemory: 1 },
      ...{ history: 3, task: 1 },
    });
  });

  it('adds up: the characters of the slots are those of the messages, but for what joins them', async () => {
    const { recalled } = await remembering(['The boiler is in the cellar.'], 'boiler');
    const { messages, receipt } = prompt({
      memory: recalled,
      rules: 'Never shout.',
      history: [
        { role: 'assistant', content: [{ type: 'toolCall', id: '1', name: 'look', arguments: { at: 'x' } }] },
        { role: 'tool', content: [{ type: 'toolResult', id: '1', name: 'look', result: 'seen' }] },
      ],
      task: 'Where?',
    });
    const said = messages.reduce(
      (sum, { content }) => sum + (typeof content === 'string' ? content.length : 0),
      'look({"at":"x"})seen'.length,
    );
    // Two blank lines join the three parts of the system message.
    expect(receipt.total.characters).toBe(said - 4);
    expect(receipt.total.messages).toBe(messages.length);
    expect(receipt.total.tokens).toBeGreaterThan(10);
  });

  it('estimates long texts by samples, close to what the whole would give', () => {
    const line = (i: number) =>
      `Step ${i}: mix ${i * 3} grams of flour, then wait — 混ぜてください — and bake(${i}).\n`;
    const content = Array.from({ length: 2_000 }, (_, i) => line(i)).join('');
    const { receipt } = prompt({ history: [{ role: 'user', content }] });
    const { tokens } = receipt.slots.find(({ slot }) => slot === 'history')!;
    expect(tokens / estimateTokens(content)).toBeGreaterThan(0.95);
    expect(tokens / estimateTokens(content)).toBeLessThan(1.05);
  });

  it('can be read by a person', async () => {
    const { recalled } = await remembering(
      ['The boiler is in the cellar.', `boiler ${'x'.repeat(3_000)}`],
      'boiler',
    );
    const { receipt } = prompt({
      memory: recalled,
      model: 'test/model',
      documents: [{ text: 'a', citation: 'a.md', relevance: 1 }],
    });
    const text = renderReceipt(receipt, { contentOf: () => 'The boiler is in the cellar.' });
    expect(text).toContain('Prompt of alice, 2026-03-01T12:00:30.000Z');
    expect(text).toMatch(/^slot +entries +characters +tokens +budget$/m);
    expect(text).toMatch(/^memory +1 +\d+ +~\d+ +2000$/m);
    expect(text).toMatch(
      /^ {2}mem_\w+ \(fact, memory, score \d\.\d\d\)\n {4}The boiler is in the cellar\.\n {4}holds "boiler"/m,
    );
    expect(text).toMatch(
      /^ {2}mem_\w+ \(memory, 30\d\d characters, relevance \d\.\d\d\): no space left in the budget$/m,
    );
    expect(text).toContain('  a.md\n');
    expect(renderReceipt(prompt({ agent: undefined }).receipt)).toContain('No memories were included.');
  });
});
