/** Claude's memory tool (memory_20250818) on Keepsake: `betaMemoryTool(keepsakeMemory({ user }))`. */
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import { checkOptions, OWNER_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { WhichStore, WhoseMemory } from '../common/options.ts';
import { inside, MemoryFiles, put, remove, type StoredFile } from './files.ts';
import { checkedPath, foldersOf, isBelow, ROOT } from './paths.ts';
import { fileView, folderView, snippet } from './render.ts';

export interface KeepsakeMemoryOptions extends Omit<WhoseMemory, 'thread'>, WhichStore {
  /** False: without /memories/remembered.md, in which Claude reads what other agents and programs remembered. Default: true. */
  readonly remembered?: boolean | undefined;
}

/** What a model sends: one of the six commands with its fields. */
export type MemoryCommand = Parameters<MemoryToolHandlers[keyof MemoryToolHandlers]>[0];

const REMEMBERED = `${ROOT}/remembered.md`;
const MOST_REMEMBERED = 200;

/** The handlers of the six commands. What cannot be done is thrown, which the model sees as a failed tool. */
export function keepsakeMemory(options: KeepsakeMemoryOptions = {}): MemoryToolHandlers {
  checkOptions('keepsakeMemory', options, { ...OWNER_OPTIONS, remembered: true });
  const files = new MemoryFiles(options);
  return {
    view: async ({ path: asked, view_range }) => {
      const path = checkedPath(asked);
      const facts = await remembered(options);
      const all = [...(await files.all()), ...facts];
      const file = all.find((each) => each.path === path);
      if (file !== undefined) return fileView(asked, file.content, view_range);
      if (path !== ROOT && inside(all, path).length === 0) throw missing(asked);
      return folderView(asked, path, all);
    },

    create: async ({ path: asked, file_text }) => {
      const path = writablePath(asked);
      await files.changeTree((all) => {
        if (path === ROOT || inside(all, path).length > 0) throw new Error(`File ${asked} already exists`);
        refuseInFile(all, path);
        return [put(path, file_text)];
      });
      return `File created successfully at: ${asked}`;
    },

    str_replace: async ({ path: asked, old_str, new_str }) => {
      const path = await editablePath(files, asked);
      return files.edit(path, (file) => {
        const { content } = requireFile(file, asked);
        const line = onlyMatch(content, old_str, asked);
        // A function, so that "$" in the new text means itself.
        const changed = content.replace(old_str, () => new_str);
        return { content: changed, answer: snippet(changed, line) };
      });
    },

    insert: async ({ path: asked, insert_line, insert_text }) => {
      const path = await editablePath(files, asked);
      return files.edit(path, (file) => {
        const lines = requireFile(file, asked).content.split('\n');
        if (insert_line < 0 || insert_line > lines.length) {
          throw new Error(
            `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
          );
        }
        lines.splice(insert_line, 0, insert_text.replace(/\n$/, ''));
        return { content: lines.join('\n'), answer: `The file ${asked} has been edited.` };
      });
    },

    delete: async ({ path: asked }) => {
      const path = writablePath(asked);
      if (path === ROOT) throw new Error('Cannot delete the /memories directory itself');
      await files.changeTree((all) => {
        const gone = inside(all, path);
        if (gone.length === 0) throw new Error(`The path ${asked} does not exist`);
        return gone.map(remove);
      });
      return `Successfully deleted ${asked}`;
    },

    rename: async ({ old_path, new_path }) => {
      const [from, to] = [writablePath(old_path), writablePath(new_path)];
      if (from === ROOT) throw new Error('Cannot rename the /memories directory itself');
      await files.changeTree((all) => {
        if (to === ROOT || inside(all, to).length > 0) {
          throw new Error(`The destination ${new_path} already exists`);
        }
        const moved = inside(all, from);
        if (moved.length === 0) throw new Error(`The path ${old_path} does not exist`);
        if (isBelow(to, from)) throw new Error(`The destination ${new_path} is inside of ${old_path}`);
        refuseInFile(
          all.filter((file) => !moved.includes(file)),
          to,
        );
        const puts = moved.map(({ path, content }) => put(to + path.slice(from.length), content));
        return [...moved.map(remove), ...puts];
      });
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}

/** The same as one function, for `anthropic.tools.memory_20250818({ execute })` of the AI SDK. */
export function keepsakeMemoryExecutor(options: KeepsakeMemoryOptions = {}) {
  const handlers = keepsakeMemory(options) as unknown as Record<string, (command: object) => Promise<string>>;
  return async (command: { readonly command: string }): Promise<string> => {
    const handle = Object.hasOwn(handlers, command.command) ? handlers[command.command] : undefined;
    if (handle === undefined) throw new Error(`Unknown command: ${command.command}`);
    return handle(command);
  };
}

/** What is remembered about the user, as a file that cannot be written. */
async function remembered({ remembered: isShown = true, ...whose }: KeepsakeMemoryOptions) {
  if (!isShown) return [];
  const memories = await memoryOf(whose).memory.list({ limit: MOST_REMEMBERED });
  if (memories.length === 0) return [];
  const lines = memories.map(({ content }) => `- ${content.replaceAll(/\s*\n\s*/g, ' ')}`);
  return [{ path: REMEMBERED, content: ['# Remembered (read-only)', '', ...lines].join('\n'), revision: '' }];
}

const missing = (path: string): Error =>
  new Error(`The path ${path} does not exist. Please provide a valid path.`);

function writablePath(asked: string): string {
  const path = checkedPath(asked);
  if (path === REMEMBERED || isBelow(path, REMEMBERED)) throw new Error(`The path ${asked} is read-only.`);
  return path;
}

async function editablePath(files: MemoryFiles, asked: string): Promise<string> {
  const path = writablePath(asked);
  if ((await files.find(path)) !== undefined) return path;
  const isFolder = path === ROOT || inside(await files.all(), path).length > 0;
  throw isFolder ? new Error(`The path ${asked} is not a file.`) : missing(asked);
}

function requireFile(file: StoredFile | undefined, asked: string): StoredFile {
  if (file !== undefined) return file;
  throw new Error(`The file ${asked} no longer exists (may have been deleted or renamed concurrently).`);
}

function refuseInFile(all: readonly StoredFile[], path: string): void {
  const folder = foldersOf(path).find((each) => all.some((file) => file.path === each));
  if (folder !== undefined) throw new Error(`The path ${folder} is not a directory.`);
}

/** The index of the one line that holds the text. */
function onlyMatch(content: string, wanted: string, asked: string): number {
  const starts: number[] = [];
  for (let at = content.indexOf(wanted); at !== -1 && wanted !== ''; at = content.indexOf(wanted, at + 1)) {
    starts.push(content.slice(0, at).split('\n').length);
  }
  if (starts.length === 1) return starts[0]! - 1;
  throw new Error(
    starts.length === 0
      ? `No replacement was performed, old_str \`${wanted}\` did not appear verbatim in ${asked}.`
      : `No replacement was performed. Multiple occurrences of old_str \`${wanted}\` in lines: ${starts.join(', ')}. Please ensure it is unique`,
  );
}
