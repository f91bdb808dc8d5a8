/** What became of tasks: kept for a week, once for each task, with what went wrong. */
import { describe, expect, it } from 'vitest';
import { rememberTask, type TaskInput } from '../../src/learning/index.ts';
import { school } from './fixture.ts';

const DAY = 86_400_000;
const roses = (count: number): string => Array.from({ length: count }, (_, i) => `🌹${i}`).join('');

async function office(options: Parameters<typeof school>[0] = {}) {
  const { parts, ...rest } = await school(options);
  const done = (task: string, more: Partial<TaskInput> = {}) =>
    rememberTask({ task, outcome: 'completed', output: 'Done.', ...parts, ...more });
  return { ...rest, done };
}

describe('the record of a task', () => {
  it('E-06: what was completed is found again, for seven days', async () => {
    const { done, memory, clock } = await office();
    const { id, outcome } = await done('Deploy the shop', {
      output: 'Version 7 is live on anvil.',
      session: 'ses_1',
    });
    expect(outcome).toBe('added');
    const [hit] = await memory.search('Which version of the shop is live?');
    expect(hit).toMatchObject({ id, source: 'task_completion', category: 'task', origin: 'agent' });
    expect(hit!.content).toBe('Task completed: Deploy the shop\nResult: Version 7 is live on anvil.');
    expect(hit!.expiresAt).toBe(clock.now() + 7 * DAY);
    clock.advance(7 * DAY);
    expect(await memory.search('Which version of the shop is live?')).toEqual([]);
  });

  it('E-06: what failed says what went wrong', async () => {
    const { done, memory } = await office();
    await done('Deploy the shop', {
      outcome: 'failed',
      output: 'Uploading…',
      error: 'The disk of anvil is full.',
    });
    await done('Call Bob', { outcome: 'failed', output: '' });
    expect((await memory.list()).map(({ category, content }) => [category, content])).toEqual([
      ['failed_task', 'Task failed: Call Bob\nWhat went wrong: unknown'],
      [
        'failed_task',
        'Task failed: Deploy the shop\nWhat went wrong: The disk of anvil is full.\nOutput until then: Uploading…',
      ],
    ]);
  });

  it('trap "scheduled tasks spam the store": the same outcome of the same task keeps one record, which lives on', async () => {
    const { done, memory, clock } = await office();
    const first = await done('Read the news  of today', { output: 'Rain.' });
    clock.advance(6 * DAY);
    expect(await done('read the news of today', { output: 'Sun.' })).toEqual({
      id: first.id,
      outcome: 'updated',
    });
    clock.advance(6 * DAY);
    expect(await done('Read the news of today', { output: 'Sun.' })).toMatchObject({ outcome: 'updated' });
    const [only, ...others] = await memory.list();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      metadata: { runs: 3, outcome: 'completed' },
      expiresAt: clock.now() + 7 * DAY,
    });
    expect(only!.content).toContain('Sun.');
    clock.advance(7 * DAY);
    expect(await done('Read the news of today')).toMatchObject({ outcome: 'added' });
  });

  it('another outcome, another task and another agent are other records', async () => {
    const { done, memory, caller } = await office();
    await done('Read the news');
    expect(await done('Read the news', { outcome: 'failed', error: 'No network.' })).toMatchObject({
      outcome: 'added',
    });
    expect(await done('Read the mail')).toMatchObject({ outcome: 'added' });
    const bob = { ...caller, viewer: { agent: 'bob', role: 'worker' } as const };
    expect(await done('Read the news', { caller: bob })).toMatchObject({ outcome: 'added' });
    expect(await memory.list()).toHaveLength(3);
  });

  it('the date in the task of a schedule does not make it another one; in a task by hand it does', async () => {
    const { done, memory } = await office();
    for (const day of [1, 2, 3]) await done(`News of 2026-03-0${day}`, { isAutomatic: true });
    expect(await memory.list()).toHaveLength(1);
    for (const day of [1, 2]) await done(`News of 2026-03-0${day}`);
    expect(await memory.list()).toHaveLength(3);
  });

  it('long texts are shortened between characters, and injected blocks are left out', async () => {
    const { done, memory } = await office();
    const block = '<memory-context>\nnote\n\n- cellar\n</memory-context>';
    await done(`## Relevant Past Knowledge\n${block}\n\n## Task\n${roses(200)}`, {
      output: roses(900),
    });
    const { content } = (await memory.list())[0]!;
    expect(content.isWellFormed()).toBe(true);
    expect(content.length).toBeLessThan(2_600);
    expect(content).not.toMatch(/cellar|Past Knowledge/);
  });

  it('never throws: what cannot be kept is told', async () => {
    const { done } = await office({ config: { memory: { readOnly: true }, models: { embedding: 'none' } } });
    expect(await done('Read the news')).toMatchObject({
      id: null,
      outcome: 'skipped',
      problem: { code: 'READ_ONLY' },
    });
    expect(await done('   ')).toEqual({ id: null, outcome: 'skipped' });
  });
});
