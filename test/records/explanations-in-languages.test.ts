/** In ten languages a hit says which words of the question it holds, as they were asked, and nothing that it does not hold. */
import { describe, expect, it } from 'vitest';
import { testWorkspace } from '../fixtures/workspace.ts';

const CASES: readonly [
  language: string,
  fact: string,
  other: string,
  question: string,
  words: readonly string[],
][] = [
  [
    'English',
    'The keys of the cars hang in the kitchen.',
    'Lunch is at noon.',
    'Where is the key of my car?',
    ['"key"', '"car"'],
  ],
  [
    'German',
    'Die alten Bücher stehen im Keller.',
    'Das Essen beginnt um zwölf.',
    'Wo ist mein altes Buch?',
    ['"Buch"'],
  ],
  ['French', 'Les clés sont dans le tiroir.', 'On déjeune à midi.', 'Où est la clé ?', ['"clé"']],
  ['Spanish', 'Las llaves están en el cajón.', 'Comemos a mediodía.', '¿Dónde está la llave?', ['"llave"']],
  [
    'Russian',
    'Ключ от машины лежит на кухне.',
    'Обед начинается в полдень.',
    'Где ключ от машины?',
    ['"ключ"', '"от"', '"машины"'],
  ],
  ['Arabic', 'السيارات في المرآب.', 'الغداء في الظهر.', 'أين سيارتي؟', ['"سيارتي"']],
  ['Hindi', 'किताबें तहखाने में हैं।', 'खाना दोपहर को है।', 'किताब कहाँ है?', ['"किताब"']],
  ['Chinese', '车钥匙在厨房的抽屉里。', '午饭十二点开始。', '钥匙在哪里?', ['"钥匙在"']],
  ['Japanese', '車の鍵は台所の引き出しにある。', '昼食は正午に始まる。', '鍵はどこですか?', ['"鍵"']],
  [
    'Korean',
    '자동차 열쇠는 부엌에 있습니다.',
    '점심은 열두 시에 먹어요.',
    '열쇠를 어디에 두었나요?',
    ['"열쇠"'],
  ],
];

describe('the explanation of a hit', () => {
  it.each(CASES)('names the words that it holds in %s', async (_, fact, other, question, words) => {
    const client = testWorkspace().open({ config: { models: { embedding: 'none' } } });
    const { memory } = client.agent({ name: 'a' });
    const { id } = await memory.add({ content: fact });
    await memory.add({ content: other });
    const hits = await memory.search(question);
    expect(hits.map((hit) => hit.id)).toEqual([id]);
    const [, held = ''] = /holds (.*?) \(/u.exec(hits[0]!.explain) ?? [];
    expect(held.split(', ').sort(), hits[0]!.explain).toEqual([...words].sort());
  });
});
