/** Learning without a language model, on sessions that were written before the rules. */
import { expect, it } from 'vitest';
import { plainLearn } from '../../src/client/index.ts';
import { plainStatements } from '../../src/learning/plain-rules.ts';
import { openWorkspace } from '../surfaces/mcp/support/connect.ts';
import { PLAIN_TRANSCRIPTS, type PlainTranscript } from './plain-transcripts.ts';
import { FRENCH, GERMAN, SPANISH } from './plain-transcripts-languages.ts';

const ROLES = { u: 'user', a: 'assistant', t: 'tool' } as const;
const messagesOf = ({ turns }: PlainTranscript) =>
  turns.map((turn) => ({ role: ROLES[turn[0] as 'u'], text: turn.slice(3) }));

it.each([
  ['English', PLAIN_TRANSCRIPTS],
  ['German', GERMAN],
  ['French', FRENCH],
  ['Spanish', SPANISH],
])('stores what is wanted: at least 95 of 100 memories, on forty sessions in %s', async (_, transcripts) => {
  const { engine } = await openWorkspace();
  const stored: string[] = [];
  const unwanted: string[] = [];
  const missed: string[] = [];
  for (const [number, each] of transcripts.entries()) {
    const agent = `agent-${number}`;
    const caller = { viewer: { agent, role: 'worker' }, via: 'cli' } as const;
    const spoken = { session: `s-${number}`, messages: messagesOf(each) };
    await plainLearn(engine, spoken, caller);
    await plainLearn(engine, spoken, caller);
    const memories = await engine.records.list({}, caller);
    const wanted = each.wanted.map((text) => ({
      text: text.replace(/^!/, ''),
      isRequest: text.startsWith('!'),
    }));
    for (const { content, category } of memories) {
      stored.push(content);
      const match = wanted.find(({ text }) => content.includes(text));
      if (match === undefined) unwanted.push(`${each.name}: ${content}`);
      else expect([content, category]).toEqual([content, match.isRequest ? 'fact' : 'proposal']);
    }
    for (const { text } of wanted)
      if (!memories.some(({ content }) => content.includes(text))) missed.push(`${each.name}: ${text}`);
  }
  expect(transcripts.length).toBeGreaterThanOrEqual(40);
  expect(unwanted.length / stored.length, unwanted.join('\n')).toBeLessThanOrEqual(0.05);
  const wantedInAll = transcripts.reduce((sum, { wanted }) => sum + wanted.length, 0);
  expect(missed.length / wantedInAll, missed.join('\n')).toBeLessThanOrEqual(0.1);
});

it('stores nothing again that Keepsake itself put into the session', async () => {
  const { engine } = await openWorkspace();
  const caller = { viewer: { agent: 'alice', role: 'worker' }, via: 'cli' } as const;
  const injected = '<memory-context>\nRemember that the mast is oak.\n</memory-context>';
  const messages = [
    { role: 'user', text: `${injected}\nWhat wood is the mast?` },
    { role: 'assistant', text: 'Oak.' },
    { role: 'user', text: 'Remember that the keel is elm.' },
  ] as const;
  await plainLearn(engine, { session: 's', messages }, caller);
  expect((await engine.records.list({}, caller)).map(({ content }) => content)).toEqual(['The keel is elm.']);
});

it('says who "I" is', () => {
  expect(plainStatements(['Remember that I live in Oslo'])).toEqual([
    { content: 'The user says: I live in Oslo.', kind: 'request' },
  ]);
});
