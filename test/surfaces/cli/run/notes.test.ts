/** What `keepsake run` says on the side. */
import { describe, expect, it } from 'vitest';
import type { KeepsakeEvent } from '../../../../src/kernel/events.ts';
import { toolLine } from '../../../../src/surfaces/cli/commands/run/answer.ts';
import { memoryNote } from '../../../../src/surfaces/cli/commands/run/memory-notes.ts';

describe('a tool', () => {
  it('is shown on one line with its arguments, and never longer than a screen', () => {
    expect(toolLine('memory_save', { section: 'a', content: 'one\ntwo' })).toBe(
      'memory_save section="a" content="one two"',
    );
    expect(toolLine('x', { n: 3, list: [1] })).toBe('x n="3" list="[1]"');
    expect(toolLine('x', undefined)).toBe('x');
    expect(toolLine('x', 'broken {')).toBe('x');
    const long = toolLine('x', { a: 'y'.repeat(500), b: 'z'.repeat(500), c: 'w'.repeat(500) });
    expect(long.length).toBeLessThanOrEqual(100);
    expect(toolLine('x', { a: '\u001b[2J' })).toBe('x a="␛[2J"');
  });
});

describe('memory', () => {
  const note = (event: object): string | undefined => memoryNote(event as KeepsakeEvent);

  it('is told when something became of it', () => {
    expect(note({ type: 'memory.recalled', entryCount: 1, charsInjected: 20 })).toBe(
      'recalled 1 memory (20 characters)',
    );
    expect(note({ type: 'memory.recalled', entryCount: 0, charsInjected: 0 })).toBeUndefined();
    expect(note({ type: 'memory.wrote', id: 'm', category: 'fact', change: 'added' })).toBe(
      'remembered: a fact (m)',
    );
    expect(note({ type: 'memory.blocked', reasons: ['override'], category: 'fact' })).toBe(
      'refused by the guard: override',
    );
    expect(note({ type: 'memory.extracted', opsProposed: 3, opsApplied: 2, dryRun: false })).toBe(
      'learned 2 of 3 proposals',
    );
    expect(note({ type: 'memory.extracted', opsProposed: 0, opsApplied: 0, dryRun: false })).toBeUndefined();
    expect(note({ type: 'session.sent', characters: 3 })).toBeUndefined();
  });
});
