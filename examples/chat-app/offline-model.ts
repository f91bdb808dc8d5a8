/** Answers without a provider, so that the app can be tried and tested: it says what its prompt holds, and learns "I …" and "My …". */
import type { ChatModel } from 'keepsake';

const usage = { inputTokens: 0, outputTokens: 0 };

/** Sentences in which somebody speaks of themselves. */
const statements = (text: string) => text.match(/\b(?:I|My)\s[^.!?\n]+[.!]/g) ?? [];

export const offlineModel: ChatModel = {
  id: 'offline/demo',
  async *chat({ messages }) {
    const prompt = JSON.stringify(messages);
    const known = [...new Set(prompt.match(/(?<=\\n- (?:\[[^\]]*\] )?)[^\\"]+/g) ?? [])];
    const answer = known.length === 0 ? 'I know nothing about that yet.' : `I remember: ${known.join(' ')}`;
    for (const text of answer.split(/(?<= )/)) yield { type: 'text', text };
    yield { type: 'finish', reason: 'stop', usage };
  },
  async generate({ prompt }) {
    const said = prompt
      .slice(prompt.indexOf('<transcript>'))
      .split('\n')
      .filter((line) => /^\[\d+\] user:/.test(line));
    const operations = said.flatMap(statements).map((content) => ({
      ...{ op: 'add', category: 'fact', content, confidence: 0.9, from: 'user' },
    }));
    return { text: JSON.stringify({ operations }), usage };
  },
};
