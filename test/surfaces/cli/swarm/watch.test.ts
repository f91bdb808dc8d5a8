/** A run as it is followed on a terminal: one line for everything that happens, whatever was said. */
import { expect, it } from 'vitest';
import {
  type BusMessage,
  type Change,
  changeLine,
  messageLine,
} from '../../../../src/surfaces/cli/show/swarm/watch.ts';
import { costText, messagesShown } from '../../../../src/surfaces/cli/show/swarm.ts';
import { plain } from '../../../../src/surfaces/cli/terminal/paint.ts';
import { displayWidth } from '../../../../src/surfaces/cli/terminal/width.ts';

const at = new Date(2026, 10, 3, 14, 3, 9).getTime();
const long = 'Norway makes 水素 from\nwater. '.repeat(40);
const said = (role: string, content: BusMessage['content']): BusMessage =>
  ({ id: 'msg_1', seq: 1, run: 'run_1', agent: 'editor', role, content, at, metadata: {} }) as never;
const result = [{ type: 'tool-result', toolName: 'state_get', output: '{"version":2}' }];

it('says who, to whom and what', () => {
  expect(messageLine(said('editor', 'Done.'), plain, undefined)).toBe('14:03:09  editor: Done.');
  expect(messageLine(said('User', 'Report.'), plain, 80)).toBe('14:03:09  editor ← User: Report.');
  expect(messageLine(said('Tool', result as never), plain, 80)).toBe(
    '14:03:09  editor ← state_get {"version":2}',
  );
  const change = {
    run: 'run_1',
    at,
    by: 'editor',
    op: 'append',
    path: '/findings',
    value: { claim: 'x' },
    version: 3,
  };
  expect(changeLine(change as Change, plain, 80)).toBe('14:03:09  editor append /findings {"claim":"x"} v3');
  expect(changeLine({ ...change, op: 'delete', value: undefined } as never, plain, 80)).toBe(
    '14:03:09  editor delete /findings v3',
  );
});

it.each([60, 80, 120])('fits into a line of %d columns', (width) => {
  const change = {
    run: 'run_1',
    at,
    by: 'technology-researcher',
    op: 'merge',
    path: '',
    value: { long },
    version: 12,
  };
  for (const line of [
    messageLine(said('editor', long), plain, width),
    messageLine(said('User', long), plain, width),
    messageLine(said('Tool', [{ ...result[0]!, output: long }] as never), plain, width),
    changeLine(change as Change, plain, width),
  ]) {
    expect(line).not.toContain('\n');
    expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(displayWidth(line)).toBeGreaterThan(width - 4);
  }
  expect(changeLine(change as Change, plain, width)).toMatch(/… v12$/);
});

it('afterwards everything can be read in full', () => {
  const texts: string[] = [];
  const output = {
    ...{ width: 60, paint: plain, note: () => {} },
    result: (_: unknown, { text }: { text: () => string[] }) => texts.push(...text()),
  };
  messagesShown([said('User', long)], { output, clock: { now: () => at } } as never, { input: {} } as never);
  expect(texts[0]).toContain('editor ← User');
  expect(texts.join(' ').match(/Norway/g)).toHaveLength(40);
  for (const line of texts) expect(displayWidth(line)).toBeLessThanOrEqual(60);
});

it('C-14 the cost of a run says which of its calls have no price', () => {
  const usage = { calls: 3, unfinished: 0, inputTokens: 9, outputTokens: 9, cost: 0.25, models: {} };
  expect(costText(usage)).toBe('3 calls, $0.2500');
  expect(costText({ ...usage, unfinished: 2 })).toBe('3 calls, $0.2500, without 2 calls that did not finish');
  expect(costText({ ...usage, calls: 1, unfinished: 1, cost: 0 })).toBe(
    '1 call, $0.0000, without 1 call that did not finish',
  );
});
