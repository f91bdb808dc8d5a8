/** `keepsake memory forget-expired`: without a terminal it erases only with --yes. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../../../src/surfaces/cli/main.ts';
import { testWorkspace } from '../../../fixtures/workspace.ts';

const MEMORY = 'The meeting is in March.';

/** A memory that expired long ago by the clock of the system. */
async function expired(): Promise<string> {
  const { folder, clock, open } = testWorkspace('2020-03-01T12:00:00Z');
  const client = open();
  await client.agent({ name: 'alice' }).memory.add({ content: MEMORY, expiresAt: clock.now() + 1_000 });
  await client.close();
  return folder;
}

async function keepsake(folder: string, ...words: readonly string[]) {
  const text = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((part) => {
      text[name] += String(part);
      return true;
    }),
  );
  const restore = (): void => spies.forEach((spy) => void spy.mockRestore());
  onTestFinished(restore);
  const code = await run([...words, '--workspace', folder]);
  restore();
  return { code, ...text };
}

test('shows what it would erase, erases with --yes, and then finds nothing', async () => {
  const folder = await expired();
  for (const words of [
    ['forget-expired'],
    ['forget-expired', '--dry-run', '--yes'],
    ['prune', '--expired'],
  ]) {
    const shown = await keepsake(folder, 'memory', ...words);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('Would erase 1 expired memory') });
    expect(shown.stderr).toContain(MEMORY);
  }
  expect((await keepsake(folder, 'memory', 'forget-expired', '--yes')).stdout).toBe(
    '✓ Erased 1 expired memory.\n',
  );
  expect((await keepsake(folder, 'memory', 'forget-expired')).stdout).toBe('Nothing has expired.\n');
});

test('the words of earlier versions erase too', async () => {
  const folder = await expired();
  const { stdout } = await keepsake(folder, 'memory', 'prune', '--expired', '--yes', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ erased: 1, expired: [{ content: MEMORY }] });
});
