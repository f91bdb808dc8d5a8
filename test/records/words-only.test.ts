/** Without an embedding model the default threshold keeps what answers, in every script. */
import { expect, it } from 'vitest';
import { testAgent } from '../fixtures/workspace.ts';

const WORDS_ONLY = { config: { models: { embedding: 'none' } } };

it('keeps an answer that shares few words with a long question', async () => {
  const { memory } = testAgent(WORDS_ONLY);
  await memory.add({
    content: 'Marta switched the nightly export to incremental mode in order to save disk space',
  });
  await memory.add({ content: 'The export writes to the disk in the basement' });
  for (let i = 0; i < 10; i++) await memory.add({ content: `The violin number ${i} is in the attic` });
  const hits = await memory.search(
    'Could you please tell me again which colleague decided that our nightly export should not copy everything?',
  );
  expect(hits.map(({ content }) => content)).toEqual([
    'Marta switched the nightly export to incremental mode in order to save disk space',
    'The export writes to the disk in the basement',
  ]);
});

it('keeps answers in Chinese, where most pairs of a question are no words', async () => {
  const { memory } = testAgent(WORDS_ONLY);
  const facts = [
    '我表弟叫周明，他在苏州的一家医院当护士。',
    '我表弟的生日是十月九日。',
    '下周三要去银行办业务。',
  ];
  for (const content of facts) await memory.add({ content });
  const found = async (query: string) => (await memory.search(query)).map(({ content }) => content);
  expect((await found('请问我那位在医院工作的表弟是什么时候过生日的呢？')).slice(0, 2).sort()).toEqual(
    facts.slice(0, 2).sort(),
  );
  expect(await found('今晚的足球比赛几点开始？')).toEqual([]);
});
