/** Reads the transcript that Claude Code keeps of a session: one JSON object per line. */
import { open } from 'node:fs/promises';
import type { SpokenMessage } from '../../client/index.ts';

/** A session of days is reviewed by its end; a model could not read more anyway. */
const MOST_BYTES = 4 * 1024 * 1024;
/** What the program itself put into the mouth of the user: commands and their output. */
const MACHINE_TEXT = /^\s*<(command-|local-command-|system-reminder|bash-)/;

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly content?: unknown;
}

interface Entry {
  readonly type?: unknown;
  readonly isMeta?: unknown;
  readonly isSidechain?: unknown;
  readonly message?: { readonly content?: unknown };
}

async function readEnd(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - MOST_BYTES);
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const text = bytes.subarray(0, bytesRead).toString('utf8');
    // The first line may have lost its beginning.
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

function parse(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // The last line may still be being written.
    return undefined;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Part[])
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function messagesOf({ type, isMeta, isSidechain, message }: Entry): SpokenMessage[] {
  if (isMeta === true || isSidechain === true || (type !== 'user' && type !== 'assistant')) return [];
  const content = message?.content;
  const said = textOf(content);
  const results = Array.isArray(content)
    ? (content as Part[]).filter((part) => part.type === 'tool_result').map((part) => textOf(part.content))
    : [];
  return [
    ...results.filter((text) => text.trim() !== '').map((text) => ({ role: 'tool' as const, text })),
    ...(said.trim() === '' || MACHINE_TEXT.test(said) ? [] : [{ role: type, text: said } as const]),
  ];
}

export async function readTranscript(file: string): Promise<SpokenMessage[]> {
  const lines = (await readEnd(file)).split('\n');
  return lines.flatMap((line) => {
    const entry = line.trim() === '' ? undefined : parse(line);
    return entry === undefined ? [] : messagesOf(entry);
  });
}
