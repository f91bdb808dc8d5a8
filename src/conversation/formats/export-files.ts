/** Conversations as files: exported in any format, and loaded again. */
import { basename, dirname, extname, join, resolve } from 'node:path';
import { ABSENT, ANY, DocumentFile } from '../../documents/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { FileLock } from '../../ports/file-lock.ts';
import type { ConversationMessage } from '../messages/message.ts';
import {
  CONVERSATION_FORMATS,
  type ConversationFormat,
  type ConversationSnapshot,
  decodeConversation,
  encodeConversation,
  formatForFile,
} from './index.ts';

export interface ExportOptions {
  /** Default: by the ending of `path`, else json. */
  readonly format?: ConversationFormat;
  /** Default: a name of its own in the agent's `exports` folder. */
  readonly path?: string;
  /** Overwrites a file that is there already. */
  readonly force?: boolean;
}

const EXTENSION: Readonly<Record<ConversationFormat, string>> = {
  json: '.json',
  jsonl: '.jsonl',
  yaml: '.yaml',
  markdown: '.md',
};

/** Exports are written once, under a name of their own; nobody waits for them. */
const unlocked: FileLock = { hold: (_path, work) => work(), close: async () => {} };

/** Where exports go unless their caller names a path. */
export interface ExportPlace {
  readonly folder: string;
  readonly root: string;
}

/** A path that the caller names is used as it is; only the default folder must stay inside the workspace. */
function documentAt(path: string, root = dirname(path)): DocumentFile {
  return new DocumentFile({ path, root, lock: unlocked, maxBytes: 1024 ** 3 });
}

/** Resolves to the path that was written. */
export async function exportSnapshot(
  snapshot: ConversationSnapshot,
  place: ExportPlace,
  { format, path, force = false }: ExportOptions,
): Promise<string> {
  const chosen = format ?? (path === undefined ? 'json' : formatForFile(path)) ?? 'json';
  if (!CONVERSATION_FORMATS.includes(chosen)) {
    throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(chosen)} is not a format of conversations.`, {
      hint: `Choose one of ${CONVERSATION_FORMATS.join(', ')}.`,
    });
  }
  const name = `conversation_${snapshot.agent}-${snapshot.conversationId}${EXTENSION[chosen]}`;
  const target = path === undefined ? join(place.folder, name) : resolve(path);
  const text = await encodeConversation(snapshot, chosen);
  try {
    const document = documentAt(target, path === undefined ? place.root : undefined);
    await document.replace(text, { ifHash: force ? ANY : ABSENT });
  } catch (error) {
    if (!force && KeepsakeError.is(error) && error.code === 'CONFLICT') {
      throw new KeepsakeError('CONFLICT', `${target} exists already.`, {
        hint: 'Choose another path, or set force to overwrite it.',
        cause: error,
      });
    }
    throw error;
  }
  return target;
}

/** The messages of an export; what the agent of the export said counts as said by this one. */
export async function loadMessages(
  path: string,
  place: ExportPlace,
  agent: string,
): Promise<readonly ConversationMessage[]> {
  const { agent: theirs, messages } = await loadSnapshot(path, place, agent);
  return messages.map((message) => (message.role === theirs ? { ...message, role: agent } : message));
}

/** Looks in the current folder first, then among the agent's exports. */
async function loadSnapshot(path: string, place: ExportPlace, agent: string): Promise<ConversationSnapshot> {
  const places = [resolve(path), join(place.folder, basename(path))];
  for (const [i, file] of places.entries()) {
    const content = await documentAt(file, i === 0 ? undefined : place.root).read();
    if (content.exists) {
      // The name is only a hint: files of the original system hold YAML under a .json name.
      return decodeConversation(content.text, extname(file) === '.md' ? 'markdown' : undefined, { agent });
    }
  }
  throw new KeepsakeError('NOT_FOUND', `There is no file ${path}.`, {
    hint: `Looked for ${places.join(' and ')}.`,
  });
}
