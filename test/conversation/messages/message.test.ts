/** A message as people and models see it. */
import { describe, expect, it } from 'vitest';
import {
  contentText,
  modelRole,
  toolCallIds,
  toolResultIds,
} from '../../../src/conversation/messages/message.ts';

describe('contentText', () => {
  it('is the text itself, or the texts of the parts', () => {
    expect(contentText('a\n')).toBe('a\n');
    expect(contentText([])).toBe('');
    expect(
      contentText([
        { type: 'text', text: 'a' },
        { type: 'text', text: '' },
        { type: 'text', text: 'b' },
      ]),
    ).toBe('a\n\nb');
  });

  it('shows other parts as fenced JSON, whatever the order of their keys', () => {
    const call = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 't',
      input: { b: '```\n### x', a: [1, null] },
    };
    const turned = {
      input: { a: [1, null], b: '```\n### x' },
      toolName: 't',
      toolCallId: 'c',
      type: 'tool-call',
    };
    const text = contentText([{ type: 'text', text: 'Look:' }, call]);
    expect(contentText([{ type: 'text', text: 'Look:' }, turned])).toBe(text);
    const [said, fence, ...rest] = text.split(/\n\n|\n(?=\{)|\n(?=```)/);
    expect([said, fence, rest.at(-1)]).toEqual(['Look:', '```json', '```']);
    expect(JSON.parse(rest[0]!)).toEqual(call);
    expect(text.split('\n').filter((line) => line.startsWith('```'))).toHaveLength(2);
  });

  it('shows how much media there is instead of its bytes, and leaves long texts alone', () => {
    const bytes = 'iVBORw0KGgo'.repeat(500);
    const shown = contentText([
      { type: 'image', image: bytes },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes}` } },
      { type: 'tool-result', toolCallId: 'c', output: [{ mediaType: 'image/png', data: bytes }] },
    ]);
    expect(shown).not.toContain(bytes);
    expect(shown.match(/\(\d+ characters of encoded data\)/g)).toHaveLength(3);
    const result = { type: 'tool-result', toolCallId: 'c', output: bytes };
    expect(contentText([result])).toContain(bytes);
    expect(contentText([{ type: 'image', image: 'https://a/b.png' }])).toContain('https://a/b.png');
  });
});

describe('tool ids', () => {
  it('of the AI SDK and of Anthropic, and of nothing else', () => {
    const content = [
      { type: 'text', text: 'x', toolCallId: 'no' },
      { type: 'tool-call', toolCallId: 'a' },
      { type: 'tool_use', id: 'b' },
      { type: 'tool-call', toolCallId: 5 },
      { type: 'tool-result', toolCallId: 'c' },
      { type: 'tool_result', tool_use_id: 'd' },
      { type: 'constructor', name: 'no' },
    ];
    expect(toolCallIds(content)).toEqual(['a', 'b']);
    expect(toolResultIds(content)).toEqual(['c', 'd']);
    expect(toolCallIds('tool-call')).toEqual([]);
  });
});

describe('modelRole', () => {
  it.each([
    ['User', 'user'],
    ['human', 'user'],
    ['System', 'system'],
    ['Tool', 'tool'],
    ['ResearchAgent', 'assistant'],
    ['Assistant', 'assistant'],
    ['OtherAgent', 'user'],
    ['constructor', 'user'],
    ['', 'user'],
  ])('%s is the %s', (role, expected) => {
    expect(modelRole(role, 'ResearchAgent')).toBe(expected);
  });
});
