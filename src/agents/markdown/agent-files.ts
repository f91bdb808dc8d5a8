/** Finds and reads agent files: every `agents/*.md` except memory files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { foldAgentName } from '../../kernel/names.ts';
import { nearestName } from '../../kernel/nearest.ts';
import { definedSwitches } from './conversation.ts';
import { type AgentDefinition, type Examined, examineAgent } from './definition.ts';
import { agentError } from './problems.ts';

/** Prompts have a few kilobytes; a file beyond this is another file by mistake. */
const MAX_BYTES = 1024 * 1024;

export interface ExaminedAgent {
  readonly name: string;
  readonly file: string;
  readonly examined: Examined;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new KeepsakeError('PERMISSION', `The folder ${folder} cannot be read.`, {
      hint: 'Change its permissions, or choose another workspace.',
      cause: error,
    });
  }
}

/** `x.memory.md` holds the sections of agent "x", and a name that begins with a dot is nobody's. */
function isAgentFile(name: string): boolean {
  return /\.md$/.test(name) && !/\.memory\.md$/i.test(name) && !name.startsWith('.');
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
}

/** Names of the agents that are defined here, in alphabetical order; what their files say is not looked at. */
export async function listAgentFiles(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter(isAgentFile);
  const files = await Promise.all(names.map((name) => isFile(join(folder, name))));
  return names
    .filter((_, i) => files[i])
    .map((name) => basename(name, '.md'))
    .sort();
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (bytes.length > MAX_BYTES) {
    throw new Error(`the file is too large: ${bytes.length} bytes, at most ${MAX_BYTES} are read`);
  }
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

async function examineFile(folder: string, name: string): Promise<Examined> {
  const file = join(folder, `${name}.md`);
  try {
    return examineAgent(file, name, await textOf(file));
  } catch (error) {
    if (KeepsakeError.is(error)) throw error;
    const isText = !(error instanceof TypeError);
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [{ file, path: '', message: isText ? reason : 'the file is not UTF-8' }] };
  }
}

function twinOf(name: string, names: readonly string[]): string | undefined {
  return names.find((other) => other < name && foldAgentName(other) === foldAgentName(name));
}

/** Looks at the named agents, or at all. One that does not exist is an error; one that is wrong says why. */
export async function examineAgents(
  folder: string,
  wanted: readonly string[] = [],
): Promise<ExaminedAgent[]> {
  const all = await listAgentFiles(folder);
  for (const name of wanted) if (!all.includes(name)) throw noSuchAgent(name, all, folder);
  return Promise.all(
    (wanted.length === 0 ? all : [...new Set(wanted)]).map(async (name) => {
      const file = join(folder, `${name}.md`);
      const twin = twinOf(name, all);
      if (twin === undefined) return { name, file, examined: await examineFile(folder, name) };
      const message = `differs from agent "${twin}" only in upper and lower case; on some file systems both would share a folder`;
      return { name, file, examined: { problems: [{ file, path: '', message }] } };
    }),
  );
}

/** What the conversations of the defined agents keep, by name. Files with mistakes are left out. */
export async function conversationsInFiles(
  folder: string,
  config: Config,
  wanted: readonly string[] = [],
): Promise<ReadonlyMap<string, ReturnType<typeof definedSwitches>>> {
  const found = await examineAgents(folder, wanted);
  return new Map(
    found.flatMap(({ name, examined: { definition } }) =>
      definition === undefined ? [] : [[name, definedSwitches(definition, config)]],
    ),
  );
}

export async function loadAgent(folder: string, name: string): Promise<AgentDefinition> {
  const [found] = await examineAgents(folder, [name]);
  const { definition, problems } = found!.examined;
  if (definition === undefined) throw agentError(name, problems);
  return definition;
}

function noSuchAgent(name: string, all: readonly string[], folder: string): KeepsakeError {
  const near = nearestName(name, all);
  const list = all.length === 0 ? 'No agents are defined yet' : `Defined agents: ${all.join(', ')}`;
  return new KeepsakeError('NOT_FOUND', `No agent ${JSON.stringify(name)} is defined in ${folder}.`, {
    hint:
      near === undefined
        ? `${list}. An agent is a file such as ${join(folder, 'assistant.md')}, with frontmatter and a prompt.`
        : `Did you mean "${near}"?`,
    details: { name, available: all },
  });
}
