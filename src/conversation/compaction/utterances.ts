/** A transcript as a list of who said what, read from MEMORY.md blocks and from "Role: text" paragraphs alike. */
import { parseTranscript } from '../formats/memory-md.ts';

export interface Utterance {
  /** Empty when the text does not say. */
  readonly speaker: string;
  readonly text: string;
}

const SPEAKER = /^([\p{L}\p{N}_. -]{1,64}): /u;

export function utterancesIn(transcript: string): Utterance[] {
  const { preamble, blocks } = parseTranscript(transcript);
  const utterances = paragraphs(preamble);
  for (const [i, { role, text }] of blocks.entries()) {
    // Text that follows the file in a prompt is read as part of its last block.
    const [own = '', ...rest] = i < blocks.length - 1 ? [text] : text.split(/\n\n---\n+/);
    utterances.push({ speaker: role, text: own });
    utterances.push(...paragraphs(rest.join('\n\n')));
  }
  return utterances;
}

function paragraphs(text: string): Utterance[] {
  let speaker = '';
  return text.split(/\n{2,}/).map((paragraph) => {
    const said = splitSpeaker(paragraph);
    speaker = said.speaker || speaker;
    return { speaker, text: said.text };
  });
}

/** "User: yes" is said by User. */
export function splitSpeaker(line: string): Utterance {
  const match = SPEAKER.exec(line);
  return match === null
    ? { speaker: '', text: line }
    : { speaker: match[1]!, text: line.slice(match[0].length) };
}
