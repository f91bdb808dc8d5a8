/** Answers of the memory operations in words. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { Context } from '../../../../src/surfaces/cli/context.ts';
import { Output } from '../../../../src/surfaces/cli/output.ts';
import { added } from '../../../../src/surfaces/cli/show/memory.ts';

test('names that would drive the terminal are made harmless', () => {
  const context = new Context(new Output({ json: false, quiet: false, color: false }), undefined);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  added(
    {
      outcome: 'added',
      pruned: [],
      id: 'mem_1',
      agent: 'agent\u001b[2J',
      scope: 'agent',
      source: 'manual',
      category: 'fact\u001b]0;title\u0007\nsecond line',
      confidence: 1,
      content: 'x',
      tags: [],
      metadata: {},
      origin: 'user',
      pinned: false,
      state: 'live',
      version: 1,
      createdAt: 0,
      updatedAt: 0,
      thread: null,
      user: null,
      validFrom: null,
      supersedes: null,
      supersededBy: null,
      expiresAt: null,
      expiryReason: null,
      accessCount: 0,
      forgottenAt: null,
      lastAccessedAt: null,
      injectedCount: 0,
    },
    context,
    { agent: undefined, options: {}, input: { content: 'x' } },
  );
  const printed = write.mock.calls.map(([text]) => String(text)).join('');
  expect(printed).toMatch(/^✓ Remembered: mem_1 fact.*second line · agent.*\n$/);
  expect(printed.slice(0, -1)).not.toMatch(/\p{Cc}/u);
});
