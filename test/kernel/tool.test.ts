/** Tools are named as all providers of models can take it. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/kernel/tool.ts';

const named = (name: string) =>
  defineTool({ name, description: 'Reads.', input: z.object({}), run: () => 'Nothing.' });

it.each(['read_calendar', 'memory-search', 'x', 'x'.repeat(64)])('%j is the name of a tool', (name) => {
  expect(named(name).name).toBe(name);
});

it.each(['bad name!', '', 'x'.repeat(65), 'Kalenderöffner', 'a.b'])('%j is refused', (name) => {
  expect(() => named(name)).toThrow('cannot be the name of a tool.');
});
