/** Builds the fenced memory block for a prompt. */
import type { AgentHandle } from '../../client/index.ts';

/** Empty when memory has nothing to say. */
export async function rememberedText(handle: AgentHandle, task: string): Promise<string> {
  return (await handle.memory.context(task.trim() === '' ? undefined : task)).text;
}
