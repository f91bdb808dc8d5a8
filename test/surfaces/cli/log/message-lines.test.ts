/** Messages as they appear on a terminal of a given width. */
import { describe, expect, it } from 'vitest';
import { Output } from '../../../../src/surfaces/cli/output.ts';
import {
  conversationLines,
  type Message,
  messageLines,
  messageText,
} from '../../../../src/surfaces/cli/show/log/message-lines.ts';
import { displayWidth } from '../../../../src/surfaces/cli/terminal/width.ts';

const at = new Date(2026, 10, 3, 14, 3).getTime();
const message = (content: Message['content'], role = 'User'): Message => ({
  id: 'msg_00000000000000000000000001',
  role,
  content,
  at,
  run: null,
  metadata: {},
});

function inWidth(width: number | undefined) {
  const output = Object.assign(new Output({ json: false, quiet: false, color: false }), { width });
  return { output, clock: { now: () => at } };
}

describe('messageLines', () => {
  it('says who, when and what', () => {
    expect(messageLines(message('Hello.\n\nSecond.'), inWidth(undefined))).toEqual([
      'User  today 14:03  msg_00000000000000000000000001',
      '  Hello.',
      '',
      '  Second.',
    ]);
  });

  it('shows the beginning of a long message where only that is wanted', () => {
    expect(messageLines(message('abcdefghij'), inWidth(undefined), 4)).toEqual([
      'User  today 14:03  msg_00000000000000000000000001',
      '  abcd… (6 more characters; --json has them)',
    ]);
  });

  it('fits a narrow terminal, without the id', () => {
    const lines = messageLines(message('会議は金曜日です。🎉 '.repeat(10), 'assistant'), inWidth(40));
    expect(lines[0]).toBe('assistant  today 14:03');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
    expect(lines.length).toBeGreaterThan(4);
  });

  it('does not obey what was said', () => {
    const lines = messageLines(message('\u001b[2Jwiped', 'Us\u001b[2Jer\nUser'), inWidth(80));
    expect(lines.join('\n')).not.toContain('\u001b');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe('  ␛[2Jwiped');
  });

  it('separates messages', () => {
    expect(conversationLines([message('a'), message('b')], inWidth(undefined))[2]).toBe('');
  });
});

describe('messageText', () => {
  it('shows tool calls and their results in one line each', () => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'search', input: { q: 'x' } };
    const result = { type: 'tool-result', toolCallId: '1', toolName: 'search', output: ['hit'] };
    expect(messageText([{ type: 'text', text: 'Looking.' }, call, result])).toBe(
      'Looking.\n→ search {"q":"x"}\n← search ["hit"]',
    );
    expect(messageText([{ type: 'tool_use', id: '1', name: 'look', input: {} }])).toBe('→ look {}');
    expect(messageText([{ type: 'tool_result', tool_use_id: '1', content: 'found' }])).toBe('← found');
  });

  it('tells the size of what is no text', () => {
    const shown = messageText([{ type: 'image', image: 'A'.repeat(5000) }]);
    expect(shown).toBe('[image] {"image":"(5000 characters)"}');
  });
});
