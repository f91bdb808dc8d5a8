/** Better nothing than noise: a question that nothing answers brings nothing. */
import { expect, it } from 'vitest';
import { testAgent } from '../fixtures/workspace.ts';

const MEMORIES = [
  'Lena is allergic to peanuts',
  'The invoice of the carpenter was paid by bank transfer',
  'My brother teaches mathematics at a school in Graz',
  'We fly to Iceland in August',
  'The staging server restarts every night',
  'The puppy is afraid of thunderstorms',
  'Pull requests need two approvals',
  'Grandmother keeps her keys under the flower pot',
  'The dentist moved to the second floor',
  'He plays the violin in an orchestra',
];

const UNRELATED = [
  'What is the boiling point of mercury?',
  'Who won the chess tournament in 1972?',
  'convert ounces to grams',
  'What does the French word aubergine mean?',
  'quantum entanglement experiment',
  'How tall is the tallest volcano on Mars?',
  'stock price of a steel company',
  'rules of cricket explained',
  'medieval siege weapons',
  'What is the plot of Hamlet?',
  'Which enzyme digests lactose?',
  'How long is the Panama canal?',
  'zxqv blorptag',
];

it('unrelated questions bring nothing, or hardly anything', async () => {
  const { memory } = testAgent();
  for (const content of MEMORIES) await memory.add({ content });
  const noisy: string[] = [];
  for (const question of UNRELATED) {
    const [first] = await memory.search(question);
    if (first === undefined) continue;
    noisy.push(`${question} → ${first.content}`);
    expect(first.relevance, question).toBeLessThan(0.3);
  }
  expect(noisy.length, noisy.join('\n')).toBeLessThanOrEqual(1);
});

/** The default model knows their letters only: all texts of one script would look alike. */
it.each([
  [
    'Russian',
    ['По вторникам мы играем в футбол', 'Я работаю программистом', 'Кот спит на диване', 'Мы живём в Казани'],
    ['Когда день рождения бабушки?', 'машина', 'Сколько стоит билет?'],
    ['футбол', 'По вторникам мы играем в футбол'],
  ],
  [
    'Japanese',
    ['猫はミケです', '東京タワーの近くに住んでいます', 'コーヒーはブラックが好きです'],
    ['誕生日はいつですか', 'チケットはいくらですか？'],
    ['コーヒー', 'コーヒーはブラックが好きです'],
  ],
  [
    'Arabic',
    ['أحب القهوة العربية', 'أعمل مهندسا في دبي', 'قطتي بيضاء'],
    ['سيارة', 'متى عيد الميلاد؟'],
    ['القهوة', 'أحب القهوة العربية'],
  ],
  [
    'Korean',
    ['저는 서울에 살아요', '고양이 이름은 나비예요', '커피를 좋아해요'],
    ['생일이 언제예요?', '자동차'],
    ['커피를', '커피를 좋아해요'],
  ],
] as const)(
  'unrelated questions bring little or nothing in %s, and words bring what holds them',
  async (_, contents, unrelated, [word, content]) => {
    const { memory } = testAgent();
    for (const each of contents) await memory.add({ content: each });
    await memory.add({ content: 'The puppy is afraid of thunderstorms' });
    for (const question of unrelated) {
      // Endings that every second sentence has are matched as if they were words.
      for (const { relevance } of await memory.search(question))
        expect(relevance, question).toBeLessThan(0.4);
    }
    const [first, ...others] = await memory.search(word);
    expect(first).toMatchObject({ content, relevance: 1 });
    for (const { relevance } of others) expect(relevance).toBeLessThan(0.4);
  },
);

it('a threshold keeps what is above it, and only that', async () => {
  const { memory } = testAgent();
  for (const content of MEMORIES) await memory.add({ content });
  const all = await memory.search('the server restarts at night with two approvals', { minRelevance: 0 });
  expect(all.length).toBeGreaterThan(1);
  const relevances = all.map(({ relevance }) => relevance).toSorted((a, b) => b - a);
  const second = relevances[1]!;
  const above = async (minRelevance: number) =>
    (await memory.search('the server restarts at night with two approvals', { minRelevance })).length;
  expect(await above(second)).toBe(relevances.filter((relevance) => relevance >= second).length);
  expect(await above(second + 1e-9)).toBe(1);
  expect(await above(relevances[0]! + 1e-9)).toBe(0);
});

it('a single common word shared with a long question is little', async () => {
  const { memory } = testAgent();
  for (const content of MEMORIES) await memory.add({ content });
  const hits = await memory.search('Which school of painting did the impressionists of Paris found in 1874?');
  for (const hit of hits) expect(hit.relevance).toBeLessThan(0.4);
});

it('the more is stored, the more the best must say, because chance brings more; a threshold of your own is taken as it is', async () => {
  const { memory } = testAgent({ config: { memory: { maxEntries: 1_000 } } });
  const question = 'Which harp is in the shop?';
  const people = ['Anna', 'Bela', 'Carla', 'Dario', 'Emil', 'Flora', 'Gregor', 'Hanna', 'Igor', 'Jana'];
  const things = ['roof', 'boat', 'oven', 'garden', 'bridge', 'carpet', 'engine', 'fence', 'clock', 'lamp'];
  const verbs = ['repairs', 'paints', 'sells', 'cleans', 'draws', 'measures', 'insures', 'borrows'];
  await memory.add({ content: 'Anna wants to sell her harp' });
  for (const content of MEMORIES) await memory.add({ content });
  const [alone] = await memory.search(question);
  expect(alone!.content).toContain('harp');
  for (const verb of verbs)
    await Promise.all(
      people.flatMap((who) => things.map((what) => memory.add({ content: `${who} ${verb} the ${what}` }))),
    );
  const all = await memory.search(question, { minRelevance: 0.1 });
  expect(all.map(({ id }) => id)).toContain(alone!.id);
  expect(await memory.search(question)).toEqual([]);
  expect((await memory.recall(question)).relevant).toEqual([]);
  expect((await memory.search('Who cleans the clock?'))[0]!.content).toContain('cleans the clock');
});
