/** The part of the system prompt that lists the sections of an agent and how to read them. */
import { shownName } from './names.ts';

/** Beyond this a list of names costs more attention than it is worth. */
const MOST_NAMES = 200;
const MOST_CHARACTERS = 8_000;

const HEAD = `## Long-term Memory

You have the following memory sections available.
Use memory_retrieve to read their contents, memory_save to replace, and memory_append to add.

Available sections:`;

/** Empty when there is nothing to list, so that the prompt of an agent without sections has no trace of it. */
export function promptIndex(names: readonly string[]): string {
  if (names.length === 0) return '';
  const lines = [HEAD];
  let room = MOST_CHARACTERS;
  for (const name of names.slice(0, MOST_NAMES)) {
    const line = `- ${shownName(name)}`;
    room -= line.length;
    if (room < 0) break;
    lines.push(line);
  }
  const left = names.length - (lines.length - 1);
  if (left > 0)
    lines.push('', `${left} more are not listed; asking for a name that does not exist lists all.`);
  return lines.join('\n');
}
