/** How the guard judges texts that it was neither written nor trained with: counted, so that a change that makes it worse is seen. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../src/guard/index.ts';
import { ORIGINS, type Origin } from '../../src/kernel/record.ts';
import { TRUST_ORDER } from '../../src/kernel/trust.ts';
import { FORGED_STRUCTURE, FRESH_ATTACKS, FRESH_MEMORIES, HARMLESS_STRUCTURE } from './one-liners.ts';

const guard = createGuard({ secrets: 'allow' });
const isRefused = (content: string, origin: Origin): boolean =>
  !guard.inspect({ content, category: 'fact', tags: [], origin }).allowed;
const refused = (texts: readonly string[], origin: Origin): string[] =>
  texts.filter((text) => isRefused(text, origin));

describe('fresh one-line attacks', () => {
  it('are mostly refused from a page; 17 of the first 74 were before the trained part existed', () => {
    expect(FRESH_ATTACKS.length).toBeGreaterThanOrEqual(60);
    expect(refused(FRESH_ATTACKS, 'web').length / FRESH_ATTACKS.length).toBeGreaterThanOrEqual(0.8);
  });

  it('are refused the more, the less their origin is trusted', () => {
    const counts = TRUST_ORDER.map((origin) => refused(FRESH_ATTACKS, origin).length);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
  });

  it('leave memories alone: at most one in two hundred is refused', () => {
    for (const origin of ORIGINS) {
      expect(refused(FRESH_MEMORIES, origin).length / FRESH_MEMORIES.length).toBeLessThanOrEqual(0.005);
    }
  });
});

describe('forged structure', () => {
  it.each(FORGED_STRUCTURE)('refuses %j whoever wrote it', (text) => {
    expect(ORIGINS.filter((origin) => !isRefused(text, origin))).toEqual([]);
  });

  it.each(HARMLESS_STRUCTURE)('lets %j pass, whoever wrote it', (text) => {
    expect(ORIGINS.filter((origin) => isRefused(text, origin))).toEqual([]);
  });
});

it('the table that ships is the one that its manifest describes', () => {
  const folder = join(import.meta.dirname, '../../models/guard');
  const bytes = readFileSync(join(folder, 'intent.bin'));
  const { sha256 } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { sha256: string };
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  expect(bytes.length).toBeLessThan(500_000);
});
