/** Reads MEMORY.md: completely, or its beginning and end if it is longer than the start-up budget. */
import type { HeldDocument } from '../../documents/index.ts';
import { SUMMARY_MARK } from '../compaction/summary-check.ts';
import { type ParsedBlock, parseTail, parseTranscript } from '../formats/memory-md.ts';

export interface MemoryFileView {
  readonly conversationId: string | undefined;
  readonly headerText: string;
  /** What a person wrote above the first block; empty when there is nothing. */
  readonly notes: string;
  /** What the places of the blocks refer to. */
  readonly source: string;
  readonly blocks: readonly ParsedBlock[];
  /** Bytes of blocks that were not read. */
  readonly skippedBytes: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** Room for the header and the beginning of the first block. */
const HEAD_BYTES = 2 * 1024;
/** Room for the longest summary that a model is asked for. */
const SUMMARY_BYTES = 64 * 1024;

export function viewOf(source: string): MemoryFileView {
  const { header, preamble, blocks } = parseTranscript(source);
  return {
    conversationId: header.conversationId,
    headerText: header.raw,
    notes: preamble,
    source,
    blocks,
    skippedBytes: 0,
    size: bytesOf(source),
  };
}

/** At most `budget` bytes: the end of the file and, because it represents everything before it, a summary at its head. */
export async function readWithin(held: HeldDocument, size: number, budget: number): Promise<MemoryFileView> {
  const head = await readHead(held);
  const header = fits(head.headerText, budget) ? head.headerText : '';
  const summary = summaryOf(head, budget);
  const start = Math.max(size - budget + bytesOf(header) + bytesOf(summary), bytesOf(head.headerText));
  const tail = parseTail(toText(await held.readRange(start, size - start)));
  const kept = tail.source.slice(tail.dropped.end);
  const shift = summary.length - tail.dropped.end;
  return {
    conversationId: head.conversationId,
    headerText: header,
    notes: header === '' ? '' : head.notes,
    source: summary + kept,
    blocks: [
      ...(summary === '' ? [] : [{ ...head.blocks[0]!, raw: { start: 0, end: summary.length } }]),
      ...tail.blocks.map((block) => ({
        ...block,
        raw: { start: block.raw.start + shift, end: block.raw.end + shift },
      })),
    ],
    skippedBytes: size - bytesOf(head.headerText) - bytesOf(summary) - bytesOf(kept),
    size,
  };
}

async function readHead(held: HeldDocument): Promise<MemoryFileView> {
  const head = viewOf(toText(await held.readRange(0, HEAD_BYTES)));
  const isComplete = head.blocks[0]?.text.startsWith(SUMMARY_MARK) === false;
  return isComplete ? head : viewOf(toText(await held.readRange(0, SUMMARY_BYTES)));
}

/** The text of the block that a compaction began the file with; it is complete only if another one follows. */
function summaryOf({ source, blocks }: MemoryFileView, budget: number): string {
  const [first, second] = blocks;
  if (first === undefined || second === undefined || !first.text.startsWith(SUMMARY_MARK)) return '';
  const text = source.slice(first.raw.start, first.raw.end);
  return fits(text, budget) ? text : '';
}

/** Neither header nor summary may leave no room for what was said last. */
function fits(text: string, budget: number): boolean {
  return bytesOf(text) <= budget / 3;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Cut anywhere, a part may begin or end inside a character; the block that holds it is left out anyway. */
const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
