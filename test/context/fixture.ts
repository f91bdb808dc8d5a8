/** Memories for the assembler: from a real store, and a shorthand for the input. */
import { type AssembleInput, assemble } from '../../src/context/index.ts';
import type { NewMemory } from '../../src/index.ts';
import { testAgent } from '../fixtures/workspace.ts';

export const NOON = Date.parse('2026-03-01T12:00:30Z');

export const prompt = (input: Partial<AssembleInput> = {}) =>
  assemble({ now: NOON, agent: 'alice', history: [], instructions: 'Be brief.', ...input });

/** The text of the message at this place. */
export const textAt = ({ messages }: ReturnType<typeof assemble>, place: number): string =>
  messages.at(place)?.content as string;

/** Stores the memories of an agent and recalls them for a task. */
export async function remembering(memories: readonly (string | NewMemory)[], task: string) {
  // Without the guard, as if stored before there was one: the assembler must hold by itself.
  const { memory } = testAgent({ config: { guard: { enabled: false }, models: { embedding: 'none' } } });
  for (const given of memories) await memory.add(typeof given === 'string' ? { content: given } : given);
  return { memory, recalled: await memory.recall(task, { maxChars: 1_000_000, limit: 100 }) };
}
