/** Conversations of other systems: nothing of them is lost, and the same file always gives the same messages. */
import { describe, expect, it } from 'vitest';
import { decodeConversation, encodeConversation } from '../../../src/conversation/formats/index.ts';
import { toolCallIds, toolResultIds } from '../../../src/conversation/messages/message.ts';

const decode = (value: unknown, agent = 'Bot') =>
  decodeConversation(JSON.stringify(value), undefined, { agent, at: 1000 });

describe('the original system', () => {
  /** As PyYAML dumps it: bare words that YAML 1.2 takes for numbers, folded lines, aliases. */
  const yaml = `-   role: System
    content: 'You are a helper.

        Be brief.  '
    timestamp: '2025-03-01T10:00:00.123456'
-   role: User
    content: 1e3
    timestamp: '2025-03-01T10:00:01'
    message_id: 3f0c
-   role: User
    content: 0o17
-   role: ResearchAgent
    content:
        tool: search
        meta: &id001
            cost: 1
    category: output
    token_count: 12
-   role: Tool
    content:
    -   type: text
        text: a very long line a very long line a very long line a very long line
            a very long line end
    -   meta: *id001
-   role: ResearchAgent
    content: "tab\\there \\L \\U0001F600 \\a"
`;
  const json = [
    { role: 'System', content: 'You are a helper.\nBe brief.  ', timestamp: '2025-03-01T10:00:00.123456' },
    { role: 'User', content: '1e3', timestamp: '2025-03-01T10:00:01', message_id: '3f0c' },
    { role: 'User', content: '0o17' },
    {
      role: 'ResearchAgent',
      content: { tool: 'search', meta: { cost: 1 } },
      category: 'output',
      token_count: 12,
    },
    {
      role: 'Tool',
      content: [{ type: 'text', text: `${'a very long line '.repeat(5)}end` }, { meta: { cost: 1 } }],
    },
    { role: 'ResearchAgent', content: 'tab\there \u2028 😀 \u0007' },
  ];

  it('A-60: loads its JSON and its YAML, which say the same', async () => {
    const loaded = await decodeConversation(JSON.stringify(json, null, 4));
    expect(await decodeConversation(yaml)).toEqual(loaded);
    expect(loaded).toMatchObject({ agent: 'ResearchAgent', createdAt: Date.UTC(2025, 2, 1, 10, 0, 0, 123) });
    const second = Date.UTC(2025, 2, 1, 10, 0, 1);
    expect(loaded.messages).toMatchObject([
      { role: 'System', content: 'You are a helper.\nBe brief.  ', at: Date.UTC(2025, 2, 1, 10, 0, 0, 123) },
      { role: 'User', content: '1e3', id: '3f0c', at: second },
      { role: 'User', content: '0o17', at: second },
      {
        role: 'ResearchAgent',
        content: [{ type: 'data', data: { tool: 'search', meta: { cost: 1 } } }],
        metadata: { category: 'output', token_count: 12 },
      },
      { role: 'Tool', content: [{ type: 'text' }, { type: 'data', data: { meta: { cost: 1 } } }] },
      { role: 'ResearchAgent', content: 'tab\there \u2028 😀 \u0007' },
    ]);
  });

  it('finds the history beside its settings', async () => {
    const metadata = { id: 'c-1', system_prompt: 'Be kind.', rules: 'No lies.', custom_rules_prompt: 'x' };
    const loaded = await decode({ metadata, conversation_history: [{ role: 'User', content: 'Hi' }] });
    expect(loaded).toMatchObject({
      conversationId: 'c-1',
      static: { systemPrompt: 'Be kind.', rules: 'No lies.', customRules: 'x' },
      messages: [{ role: 'User', content: 'Hi', at: 1000 }],
    });
    expect((await decode({ history: [{ role: 'User', content: 'Hi' }] })).messages).toHaveLength(1);
  });
});

describe('message arrays', () => {
  it('OpenAI: roles, tool calls and their results', async () => {
    const { messages } = await decode([
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a/b.png' } }] },
      {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q":"x"}' } },
          { id: 'c2', type: 'function', function: { name: 'search', arguments: '{"__proto__":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', name: 'search', content: 'found' },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['System', 'User', 'Bot', 'Tool', 'Bot']);
    expect(messages[1]?.content).toEqual([{ type: 'image_url', image_url: { url: 'https://a/b.png' } }]);
    expect(messages[2]).toMatchObject({
      content: [
        { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 'x' } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'search', input: '{"__proto__":1}' },
      ],
      metadata: { refusal: null },
    });
    expect(messages[3]?.content).toEqual([
      { type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: 'found' },
    ]);
  });

  it('Anthropic: parts stay verbatim and still pair', async () => {
    const call = { type: 'tool_use', id: 't1', name: 'search', input: { q: 'x' } };
    const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'found' }] };
    const loaded = await decode({
      system: 'Be kind.',
      messages: [
        { role: 'assistant', content: [call] },
        { role: 'user', content: [result] },
      ],
    });
    expect(loaded.static).toEqual({ systemPrompt: 'Be kind.' });
    expect(loaded.messages.map(({ content }) => content)).toEqual([[call], [result]]);
    expect(toolCallIds(loaded.messages[0]!.content)).toEqual(['t1']);
    expect(toolResultIds(loaded.messages[1]!.content)).toEqual(['t1']);
  });

  it('parts that are no parts: texts, numbers, objects without a type', async () => {
    const content = ['said', 7, null, true, { text: 'told' }, { type: 'text', text: 'typed' }, { a: 1 }, [1]];
    const { messages } = await decode([{ role: 'user', content }]);
    expect(messages[0]!.content).toEqual([
      { type: 'text', text: 'said' },
      { type: 'data', data: 7 },
      { type: 'data', data: null },
      { type: 'data', data: true },
      { type: 'text', text: 'told' },
      { type: 'text', text: 'typed' },
      { type: 'data', data: { a: 1 } },
      { type: 'data', data: [1] },
    ]);
  });

  it('calls whose arguments are no object stay what they were', async () => {
    const call = (given: unknown) => ({
      id: 'c',
      type: 'function',
      function: { name: 'f', arguments: given },
    });
    const tool_calls = [call('{"a":1}'), call('[1]'), call('{'), call({ b: 2 }), call(null), { id: 7 }, 'x'];
    const { messages } = await decode([{ role: 'assistant', content: null, tool_calls }]);
    const parts = messages[0]!.content as { type: string; input?: unknown }[];
    expect(parts.map(({ type, input }) => [type, input])).toEqual([
      ...[
        ['tool-call', { a: 1 }],
        ['tool-call', '[1]'],
        ['tool-call', '{'],
        ['tool-call', { b: 2 }],
      ],
      ...[
        ['tool-call', null],
        ['data', undefined],
        ['data', undefined],
      ],
    ]);
  });

  it('AI SDK and Gemini: parts', async () => {
    const parts = [{ type: 'text', text: 'Hi', state: 'done' }, { type: 'step-start' }];
    const { messages } = await decode([
      { id: 'u1', role: 'user', parts, metadata: { a: 1 }, createdAt: '2026-01-01T00:00:00Z' },
      { role: 'model', parts: [{ text: 'Hello' }] },
      { role: 'user', content: ['plain', 5] },
    ]);
    expect(messages).toMatchObject([
      { id: 'u1', role: 'User', content: parts, metadata: { a: 1 }, at: Date.UTC(2026, 0, 1) },
      { role: 'Bot', content: [{ type: 'text', text: 'Hello' }], at: Date.UTC(2026, 0, 1) },
      {
        role: 'User',
        content: [
          { type: 'text', text: 'plain' },
          { type: 'data', data: 5 },
        ],
      },
    ]);
  });

  it('times in seconds, in milliseconds, as text, and none', async () => {
    const { messages } = await decode(
      [
        {},
        { timestamp: 1_700_000_000 },
        { created_at: 1_700_000_000_500.4 },
        { timestamp: '2026-01-01 10:00:00.250' },
        { timestamp: '2026-01-01T10:00+02:00' },
        { timestamp: 'yesterday' },
      ].map((more) => ({ role: 'user', content: 'x', ...more })),
    );
    expect(messages.map((entry) => entry.at)).toEqual([
      1_700_000_000_000,
      1_700_000_000_000,
      1_700_000_000_500,
      Date.UTC(2026, 0, 1, 10, 0, 0, 250),
      Date.UTC(2026, 0, 1, 8),
      Date.UTC(2026, 0, 1, 8),
    ]);
    expect(messages[5]?.metadata).toEqual({ timestamp: 'yesterday' });
  });

  it('keeps unknown keys as metadata, also where they collide', async () => {
    const { messages } = await decode([
      { role: 'user', content: 'x', score: 1, metadata: { tag: 'a' } },
      { role: 'user', content: 'x', tag: 1, metadata: { tag: 'a' } },
      { role: 'user', content: 'x', metadata: 'text', run: 5 },
    ]);
    expect(messages.map(({ metadata }) => metadata)).toEqual([
      { score: 1, tag: 'a' },
      { tag: 'a', imported: { tag: 1 } },
      { metadata: 'text', run: 5 },
    ]);
  });

  it('gives ids that are the same each time and unique in the file', async () => {
    const list = ['a', 'a', 'b'].map((id) => ({ role: 'user', content: 'same', id }));
    list.push({ role: 'user', content: 'same' } as never);
    const first = await decode(list);
    expect(await decode(list)).toEqual(first);
    expect(new Set(first.messages.map(({ id }) => id)).size).toBe(4);
    expect(first.messages[3]?.id).toMatch(/^msg_[0-9a-z]{26}$/);
  });

  it('JSON lines, and one message by itself', async () => {
    const lines = '{"role":"user","content":"a"}\r\n\r\n{"role":"assistant","content":"b"}\r\n';
    const { messages } = await decodeConversation(lines, undefined, { agent: 'Bot' });
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['User', 'a'],
      ['Bot', 'b'],
    ]);
    expect((await decode({ role: 'user', content: 'a' })).messages).toHaveLength(1);
  });

  it('what was imported can be exported and loaded again', async () => {
    const loaded = await decode([{ role: 'assistant', content: '', tool_calls: [null, { id: 'x' }] }]);
    for (const format of ['json', 'yaml', 'jsonl', 'markdown'] as const) {
      expect(await decodeConversation(await encodeConversation(loaded, format))).toEqual(loaded);
    }
  });
});
