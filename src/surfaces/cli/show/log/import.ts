/** `keepsake log import`: one file, stdin, or a tree of MEMORY.md files, each for the agent that its folder names. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { ERROR_TABLE, KeepsakeError, toKeepsakeError } from '../../../../kernel/errors.ts';
import { checkAgentName } from '../../../../kernel/names.ts';
import { callVerb } from '../../../../kernel/verb.ts';
import { verbs } from '../../../../verbs.ts';
import { decodeText, readStdin } from '../../read-stdin.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { VerbCall } from '../presentation.ts';
import { findTranscripts, type Transcript } from './find-transcripts.ts';

interface ImportedFile {
  /** "-" for stdin. */
  readonly file: string;
  readonly agent: string;
  readonly messages: number;
  readonly known: number;
  /** The agent's own MEMORY.md: what is not in the log is added there, and the file stays as it is. */
  readonly own?: true;
  readonly error?: ReturnType<KeepsakeError['toJSON']>;
}

export interface Imported {
  readonly messages: number;
  readonly known: number;
  readonly failed: number;
  readonly files: readonly ImportedFile[];
}

/** A text must fit into one string of the engine, with room to work on it. */
const MOST_MEGABYTES = 256;
const TOO_MUCH = { megabytes: MOST_MEGABYTES, hint: 'Split it, for example as JSON lines.' };

export async function importLog(call: VerbCall): Promise<Imported> {
  const { path = '-', context, caller } = call;
  const agent = caller.viewer.agent!;
  if (path === '-') {
    const text = await readStdin((note) => context.output.note(note), TOO_MUCH);
    return summary([await add(call, { file: '-', agent, archives: [] }, text)]);
  }
  const facts = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (facts.isDirectory()) return importTree(call, path);
  const source = { file: resolve(path), agent, archives: [] };
  if (await isOwn(source, call)) return summary([await adoptOwn(call, source)]);
  return summary([await add(call, source, await read(source.file))]);
}

/** A file that cannot be read does not keep the others out. */
async function importTree(call: VerbCall, folder: string): Promise<Imported> {
  const { context, options } = call;
  const all = await findTranscripts(folder);
  const sources = options.agent === undefined ? all : all.filter(({ agent }) => agent === options.agent);
  if (sources.length === 0) throw nothingIn(folder, options.agent as string | undefined);
  const progress = createProgress('Importing', context.output);
  const files: ImportedFile[] = [];
  for (const source of sources) {
    progress.show(files.length, sources.length);
    files.push(await importFile(call, source, context));
  }
  progress.end();
  return summary(files);
}

async function importFile(
  call: VerbCall,
  source: Transcript,
  context: VerbCall['context'],
): Promise<ImportedFile> {
  try {
    checkAgentName(source.agent);
    if (await isOwn(source, call)) return await adoptOwn(call, source);
    const archived = await importArchives(call, source);
    const { messages, known, ...result } = await add(call, source, await read(source.file));
    return { ...result, messages: messages + archived.messages, known: known + archived.known };
  } catch (thrown) {
    const error = toKeepsakeError(thrown);
    context.exitCode ||= ERROR_TABLE[error.code].exit;
    const { file, agent } = source;
    return { file, agent, messages: 0, known: 0, error: error.toJSON() };
  }
}

const callerFor = (agent: string) => ({ viewer: { agent, role: 'worker' as const }, via: 'cli' as const });

/** A folder of another system that became a workspace: its files stay as they are. */
async function adoptOwn({ engine }: VerbCall, { file, agent }: Transcript): Promise<ImportedFile> {
  return { file, agent, ...(await engine.conversations.adopt(callerFor(agent))), own: true };
}

/** Into the log alone: MEMORY.md holds what came after them. */
async function importArchives({ engine }: VerbCall, { agent, archives }: Transcript) {
  const texts = await Promise.all(archives.map(read));
  if (texts.length === 0) return { messages: 0, known: 0 };
  return engine.conversations.adopt(callerFor(agent), { archives: texts, active: '' });
}

async function add(
  { engine, input, caller: named }: VerbCall,
  source: Transcript,
  text: string,
): Promise<ImportedFile> {
  const { file, agent } = source;
  // Content decides, since the names of files lie; but what is called .md is not YAML.
  const guess = extname(file) === '.md' ? { format: 'markdown' as const } : {};
  const caller = { ...named, viewer: { ...named.viewer, agent, role: 'worker' as const } };
  const result = await callVerb(verbs.logImport, engine, { ...guess, ...input, text }, caller);
  return { file, agent, ...result };
}

async function isOwn(
  { file, agent }: Pick<Transcript, 'file' | 'agent'>,
  { engine }: VerbCall,
): Promise<boolean> {
  const own = await realpath(engine.paths.memoryFile(agent)).catch(() => undefined);
  return own !== undefined && own === (await realpath(file));
}

async function read(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MOST_MEGABYTES * 1024 * 1024) {
      throw new KeepsakeError('TOO_LARGE', `${file} has more than ${MOST_MEGABYTES} MB.`, {
        hint: TOO_MUCH.hint,
      });
    }
    return decodeText(await readFile(file), file);
  } catch (error) {
    throw KeepsakeError.is(error) ? error : unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): KeepsakeError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new KeepsakeError('NOT_FOUND', `There is no file ${file}.`, { hint: 'Correct the name.', cause });
  }
  const kind = code === 'EACCES' || code === 'EPERM' ? 'PERMISSION' : 'STORAGE_FAILED';
  return new KeepsakeError(kind, `${file} cannot be read (${code}).`, {
    hint: 'Check that the file exists and that you can read it.',
    cause,
  });
}

function nothingIn(folder: string, agent: string | undefined): KeepsakeError {
  const whose = agent === undefined ? '<agent>' : agent;
  return new KeepsakeError('NOT_FOUND', `There is no ${whose}/MEMORY.md in ${folder}.`, {
    hint: `Looked for ${basename(folder)}/${whose}/MEMORY.md and ${basename(folder)}/agents/${whose}/MEMORY.md.`,
  });
}

function summary(files: readonly ImportedFile[]): Imported {
  return {
    messages: files.reduce((sum, { messages }) => sum + messages, 0),
    known: files.reduce((sum, { known }) => sum + known, 0),
    failed: files.filter(({ error }) => error !== undefined).length,
    files,
  };
}
