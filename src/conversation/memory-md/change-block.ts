/** Changes or removes the block of one message in MEMORY.md, unless a person has edited it. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { type Block, unparse, writeBlock } from '../formats/memory-md.ts';
import { messageKey } from './block-messages.ts';
import type { MemoryFileView } from './memory-file-view.ts';
import type { SeenBlocks } from './seen-blocks.ts';

export interface ChangedText {
  /** The whole file. */
  readonly text: string;
  /** The one block before and after; absent when the file does not have it. */
  readonly change?: { readonly before: string; readonly after: string };
}

/** `text` null removes the block. Of several blocks that say the same, the newest is meant. */
export function changeBlock(
  { source, headerText, blocks }: MemoryFileView,
  message: Block,
  text: string | null,
  seen: SeenBlocks,
): ChangedText {
  const header = { raw: headerText };
  const key = messageKey(message);
  const target = blocks.findLast((block) => messageKey(block) === key);
  if (target === undefined) {
    refuseIfEdited(blocks, message, seen);
    return { text: unparse({ source, header, blocks }) };
  }
  const changed = text === null ? [] : [{ role: target.role, at: target.at, text }];
  const rest = blocks.flatMap((block): Block[] => (block === target ? changed : [block]));
  const before = source.slice(target.raw.start, target.raw.end);
  return {
    text: unparse({ source, header, blocks: rest }),
    change: { before, after: changed.map(writeBlock).join('') },
  };
}

/** A block by the same speaker and of the same second that nobody here wrote is this one, edited by hand. */
function refuseIfEdited(blocks: readonly Block[], { role, at }: Block, seen: SeenBlocks): void {
  const second = Math.floor(at / 1000);
  const edited = blocks.some(
    (block) => block.role === role && Math.floor(block.at / 1000) === second && !seen.knows(block),
  );
  if (!edited) return;
  throw new KeepsakeError(
    'CONFLICT',
    'This message was edited by hand in MEMORY.md; it was left as it is there.',
    { hint: 'Change it in MEMORY.md, or open the conversation again to see it as it is now.' },
  );
}
