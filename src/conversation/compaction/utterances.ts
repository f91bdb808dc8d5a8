/** A transcript as turns: who said what, read from MEMORY.md blocks and from "Role: text" paragraphs alike. */
import { parseTranscript } from '../formats/memory-md.ts';

export interface Turn {
  /** Empty when nobody knows. */
  readonly speaker: string;
  readonly text: string;
}

const SPEAKER = /^([\p{L}\p{N}_. -]{1,64}): /u;

export function turnsOf(transcript: string): Turn[] {
  const { preamble, blocks } = parseTranscript(transcript);
  const turns = paragraphs(preamble);
  for (const [i, { role, text }] of blocks.entries()) {
    // What follows a file in a prompt ends up in its last block.
    const [own = '', ...rest] = i < blocks.length - 1 ? [text] : text.split(/\n\n---\n+/);
    turns.push({ speaker: role, text: own });
    turns.push(...paragraphs(rest.join('\n\n')));
  }
  return turns;
}

function paragraphs(text: string): Turn[] {
  let speaker = '';
  return text.split(/\n{2,}/).map((paragraph) => {
    const turn = splitSpeaker(paragraph);
    speaker = turn.speaker || speaker;
    return { speaker, text: turn.text };
  });
}

/** "User: yes" is said by User. */
export function splitSpeaker(line: string): Turn {
  const match = SPEAKER.exec(line);
  return match === null
    ? { speaker: '', text: line }
    : { speaker: match[1]!, text: line.slice(match[0].length) };
}
