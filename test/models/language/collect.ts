/** All events of a chat. */
import type { ChatEvent } from '../../../src/ports/language-model.ts';

export async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
