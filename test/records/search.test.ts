/** Finding memories by what they say: any script, any punctuation, relevance that can be compared. */
import { describe, expect, it } from 'vitest';
import { testAgent, testWorkspace } from '../fixtures/workspace.ts';

const contents = (hits: readonly { content: string }[]): string[] => hits.map((hit) => hit.content);

/** Of 800 letters, and no two parts of it alike. */
const LONG_WORD = Array.from({ length: 400 }, (_, i) =>
  String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26)),
).join('');

describe('relevance', () => {
  it('lies between 0 and 1, and says how much of the question is answered', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'Alice drinks green tea in the morning' });
    await memory.add({ content: 'Bob drinks coffee' });
    await memory.add({ content: 'green' });
    const hits = await memory.search('green tea morning', { all: true });
    expect(contents(hits).slice(0, 2)).toEqual(['Alice drinks green tea in the morning', 'green']);
    for (const { relevance, score } of hits) {
      expect(relevance).toBeGreaterThan(0);
      expect(relevance).toBeLessThanOrEqual(1);
      expect(score).toBeLessThanOrEqual(relevance * 1.5);
    }
    expect(hits[0]!.relevance).toBe(1);
    expect(hits[1]!.relevance).toBeLessThan(0.6);
  });

  it('is a threshold that means the same for every question', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'the deploy key is rotated monthly' });
    await memory.add({ content: 'the cat sleeps' });
    expect(await memory.search('deploy key', { minRelevance: 0.9 })).toHaveLength(1);
    expect(await memory.search('sleeping cats', { minRelevance: 0.9 })).toHaveLength(1);
    expect(await memory.search('deploy giraffe elephant', { minRelevance: 0.9 })).toEqual([]);
    expect(await memory.search('deploy giraffe elephant')).toHaveLength(1);
  });

  it('weighs a rare word more than a common one', async () => {
    const { memory } = testAgent();
    for (let i = 0; i < 50; i++) await memory.add({ content: `project note ${i}` });
    await memory.add({ content: 'zebra' });
    const [first] = await memory.search('project zebra');
    expect(first).toMatchObject({ content: 'zebra' });
    expect(first!.relevance).toBeGreaterThan(0.8);
  });

  it('of a word in every record is still positive', async () => {
    const { memory } = testAgent();
    for (let i = 0; i < 100; i++) await memory.add({ content: `common ${i}` });
    const hits = await memory.search('common');
    expect(hits).toHaveLength(10);
    for (const hit of hits) expect(hit.relevance).toBeGreaterThan(0.9);
  });
});

describe('a question', () => {
  it('may be a whole sentence with stop words', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'Her cat is called Minka.' });
    await memory.add({ content: 'What is the and of to in, is it not?' });
    const [first, second] = await memory.search('What is the name of her cat?');
    expect(first).toMatchObject({ content: 'Her cat is called Minka.' });
    expect(second?.factors.coverage ?? 0).toBe(0);
  });

  it('may consist of stop words only', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'To be or not to be' });
    expect(await memory.search('to be or not to be')).toHaveLength(1);
  });

  it('must not be empty, and may say nothing', async () => {
    const { memory } = testAgent();
    await memory.add({ content: 'something' });
    for (const query of ['', ' ', '\n']) {
      await expect(memory.search(query)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('query: Say what to look for'),
      });
    }
    for (const query of ['?!…', '"', '\u0000', '\ud800', '()']) {
      expect(await memory.search(query)).toEqual([]);
    }
  });

  it.each([
    "don't panic",
    'multi-agent',
    'AND',
    'OR',
    'NOT',
    'NEAR(',
    'NEAR(quokka, 2)',
    '"quokka',
    'quokka"',
    '""',
    "it's",
    'quokka*',
    '*',
    '^quokka',
    'body:quokka',
    'col:x',
    '{body} : x',
    'quokka + wombat',
    '-quokka',
    '(quokka',
    'quokka)',
    'a AND (b OR',
    '; DROP TABLE records; --',
    '%',
    '_',
    '\\',
    '\\0',
    'C:\\path\\file.txt',
    'https://example.com/?q=quokka&x=1#frag',
    'e-mail@example.com',
    'fn(x) => x ** 2',
    '{"json": [1, 2]}',
    '<script>alert(1)</script>',
    '$' + '{jndi:ldap://x}',
    '%s %d %n',
    'a\u0000b',
  ])('is text, never syntax: %j', async (text) => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: `${text} quokkas` });
    await memory.add({ content: 'unrelated entry' });
    const hits = await memory.search(`${text} quokka`);
    expect(hits[0]).toMatchObject({ id, relevance: 1 });
    await expect(memory.search(text)).resolves.toBeInstanceOf(Array);
  });

  it.each([
    ['Chinese', '我喜欢在早上喝绿茶', '绿茶'],
    ['Japanese', '彼女は毎朝コーヒーを飲みます', 'コーヒー'],
    ['Japanese with Latin letters', '新しいiPhoneを買いました', 'iphone'],
    ['Korean with an ending', '저는 커피를 좋아합니다', '커피'],
    ['Thai without spaces', 'ฉันชอบดื่มกาแฟตอนเช้า', 'กาแฟ'],
    ['Lao', 'ຂ້ອຍມັກກາເຟ', 'ກາເຟ'],
    ['Arabic', 'أنا أحب القهوة', 'القهوة'],
    ['Hebrew', 'אני אוהב קפה', 'קפה'],
    ['Hindi', 'मुझे चाय पसंद है', 'चाय'],
    ['Greek in capitals', 'Μου αρέσει ο καφές', 'ΚΑΦΈΣ'],
    ['Russian', 'Она любит зелёный чай', 'ЗЕЛЁНЫЙ'],
    ['German', 'Die Straßenbahn fährt über die Brücke', 'straßenbahn brücke'],
    ['German without umlauts', 'Müller wohnt in Köln', 'Muller Koln'],
    ['French', 'Il préfère le thé à la crème brûlée', 'creme brulee'],
    ['Vietnamese', 'Tôi thích uống cà phê', 'ca phe'],
    ['decomposed accents', 'cafe\u0301', 'café'],
    ['full-width letters', 'ＮＯＤＥ２４', 'node24'],
    ['emoji', 'Release party 🎉 on Friday', '🎉'],
    ['an emoji of several parts', 'The team 👩‍💻 ships', '👩‍💻'],
    ['flags', 'Lives in 🇯🇵', '🇯🇵'],
    ['inflected English', 'She preferred running in the mornings', 'prefers run morning'],
    ['a long word', `chain ${LONG_WORD} ends`, LONG_WORD],
  ])('finds %s', async (_, content, query) => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content });
    await memory.add({ content: 'nothing of the kind' });
    expect((await memory.search(query)).map((hit) => hit.id)).toEqual([id]);
  });

  it('may be 20,000 characters long, and far longer', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'The violin is in the attic' });
    await memory.add({ content: 'The train leaves at noon' });
    const filler = Array.from({ length: 3_000 }, (_, i) => `w${i}`).join(' ');
    expect((await memory.search(`violin attic ${filler}`.slice(0, 20_000), { minRelevance: 0 }))[0]?.id).toBe(
      id,
    );
    expect((await memory.search(`violin attic ${filler} `.repeat(20), { minRelevance: 0 }))[0]?.id).toBe(id);
    const same = await memory.search('The violin is in the attic. '.repeat(800));
    expect(same[0]).toMatchObject({ id, relevance: 1 });
  });

  it('finds a word at the very end of a long text', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: `${'some filler words '.repeat(10_000)} quokka` });
    await memory.add({ content: 'unrelated entry' });
    expect((await memory.search('quokka')).map((hit) => hit.id)).toEqual([id]);
  });

  it('asks for a fraction of a candidate without harm', async () => {
    const { memory } = testAgent({ config: { ranking: { candidateMultiplier: 2.5 } } });
    const { id } = await memory.add({ content: 'quokka' });
    expect((await memory.search('quokka', { limit: 31 })).map((hit) => hit.id)).toEqual([id]);
  });

  it('finds category and tags as well', async () => {
    const { memory } = testAgent();
    const { id } = await memory.add({ content: 'x', category: 'zoology', tags: ['Australian marsupials'] });
    expect((await memory.search('zoology')).map((hit) => hit.id)).toEqual([id]);
    expect((await memory.search('marsupial')).map((hit) => hit.id)).toEqual([id]);
  });

  it('can be filtered like a list', async () => {
    const { memory, clock } = testAgent();
    const add = (content: string, more: object = {}) => memory.add({ content, ...more });
    await add('quokka a', { category: 'x', tags: ['t'], confidence: 0.2 });
    clock.advance(1_000);
    const since = clock.now();
    await add('quokka b', { category: 'y', scope: 'swarm', pinned: true });
    await add('quokka c', { source: 'knowledge' });
    const found = async (options: object) => contents(await memory.search('quokka', options)).toSorted();
    expect(await found({ category: 'x' })).toEqual(['quokka a']);
    expect(await found({ tags: ['t'] })).toEqual(['quokka a']);
    expect(await found({ minConfidence: 0.5 })).toEqual(['quokka b', 'quokka c']);
    expect(await found({ scope: 'swarm' })).toEqual(['quokka b']);
    expect(await found({ source: 'knowledge' })).toEqual(['quokka c']);
    expect(await found({ since })).toEqual(['quokka b', 'quokka c']);
    expect(await found({ before: since })).toEqual(['quokka a']);
    expect(await found({ pinned: true })).toEqual(['quokka b']);
    expect(await found({ categories: [] })).toEqual([]);
  });
});

describe('the order of hits', () => {
  it('is the same every time, for equal texts the newest first', async () => {
    const workspace = testWorkspace();
    const { memory } = workspace.open().agent({ name: 'alice' });
    const ids: string[] = [];
    for (let i = 0; i < 100; i++)
      ids.unshift((await memory.add({ content: 'quokka', category: `c${i}` })).id);
    const first = (await memory.search('quokka', { limit: 20 })).map((hit) => hit.id);
    expect(first).toEqual(ids.slice(0, 20));
    const other = workspace.open().agent({ name: 'alice' }).memory;
    expect((await other.search('quokka', { limit: 20 })).map((hit) => hit.id)).toEqual(first);
  });

  it('is the same for equal texts in other threads and of other ages, in every process', async () => {
    const workspace = testWorkspace();
    const { memory } = workspace.open().agent({ name: 'alice' });
    for (let i = 0; i < 40; i++) {
      await memory.add({ content: 'He plays the violin', thread: `t${i % 20}`, category: `c${i % 7}` });
      workspace.clock.advance(i % 3 === 0 ? 1_000 : 0);
    }
    const order = async (who: typeof memory) =>
      Promise.all(
        ['violin', 'musical instrument'].map(async (query) => (await who.search(query)).map((hit) => hit.id)),
      );
    const first = await order(memory);
    expect(first.map((ids) => ids.length)).toEqual([10, 10]);
    expect(await order(memory)).toEqual(first);
    expect(await order(workspace.open().agent({ name: 'alice' }).memory)).toEqual(first);
  });

  it('is not decided by memories that one may not see: 10,000 of another agent hide none of mine', async () => {
    const { client, memory } = testAgent({ config: { memory: { maxEntries: 100_000 } } });
    const bob = client.agent({ name: 'bob' }).memory;
    // Opens the model, so that vectors are stored with the texts.
    await memory.search('opens');
    const mine = await memory.add({ content: `a quokka in a longer text ${'with many words '.repeat(20)}` });
    const violin = await memory.add({ content: 'The violin is in the attic' });
    for (let i = 0; i < 10_000; i += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, j) => {
          const n = i + j;
          return bob.add({ content: n % 4 === 0 ? `quokka ${n}, musical instrument ${n}` : `quokka ${n}` });
        }),
      );
    }
    expect((await memory.search('quokka', { limit: 1 })).map((hit) => hit.id)).toEqual([mine.id]);
    expect((await client.memory.search('quokka', { limit: 1 }))[0]!.agent).toBe('bob');
    // By meaning alone: all of the 60 nearest vectors are Bob's.
    const [byMeaning] = await memory.search('musical instrument', { limit: 1 });
    expect(byMeaning).toMatchObject({ id: violin.id, factors: { coverage: 0 } });
    expect(
      (await client.memory.search('musical instrument', { limit: 60 })).every(({ agent }) => agent === 'bob'),
    ).toBe(true);
    // A word that all 10,000 have neither stalls nor changes what the other words find.
    const ids = async (query: string) => (await memory.search(query)).map((hit) => hit.id);
    expect((await ids('quokka attic'))[0]).toBe(violin.id);
    expect((await bob.search('quokka 4321', { limit: 1 }))[0]).toMatchObject({ content: 'quokka 4321' });
  });
});

it('gives hits that are the caller’s own: to change one changes nothing but that', async () => {
  const { memory } = testAgent();
  await memory.add({ content: 'green tea', tags: ['drink'], metadata: { kind: { leaf: 'sencha' } } });
  const [hit] = await memory.search('green tea');
  (hit!.tags as string[]).push('changed');
  (hit!.metadata as { kind: { leaf: string } }).kind.leaf = 'changed';
  expect((await memory.search('green tea'))[0]).toMatchObject({
    tags: ['drink'],
    metadata: { kind: { leaf: 'sencha' } },
  });
});
