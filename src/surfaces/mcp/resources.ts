/** MCP resources: standing memory, the newest memories, and each memory by id. */
import {
  type McpServer,
  ProtocolError,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { Engine } from '../../client/index.ts';
import { memoryContext } from '../../client/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { ERROR_TABLE, toKeepsakeError } from '../../kernel/errors.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { type AnyVerb, callVerb } from '../../kernel/verb.ts';
import { verbs } from '../../verbs.ts';

const RECENT = 50;
/** What a list of files shows in a chat window. */
const TITLE_CHARACTERS = 60;
const TEXT = { mimeType: 'text/plain' };

const uriOf = ({ id }: MemoryRecord): string => `memory://memories/${id}`;

function titleOf({ content }: MemoryRecord): string {
  const line = content.replace(/\s+/g, ' ').trim();
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS).toWellFormed()}…` : line;
}

/** A failure here is one of the protocol, since there is no result that could say so. */
async function reading(uri: URL, read: () => Promise<string>) {
  try {
    return { contents: [{ uri: uri.href, ...TEXT, text: await read() }] };
  } catch (thrown) {
    const error = toKeepsakeError(thrown);
    if (error.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri.href, error.message);
    throw new ProtocolError(ERROR_TABLE[error.code].mcp, error.message, error.toJSON());
  }
}

/** The same text that the tool of the verb returns. */
const textWith =
  (caller: Caller) =>
  (verb: AnyVerb, result: unknown): string =>
    verb.tools![0]!.answer(result, { caller, args: {}, isProject: false, fullId: (id) => id }).text;

export function addResources(server: McpServer, engine: Engine, caller: Caller): void {
  const textOf = textWith(caller);
  const recent = () => callVerb(verbs.memoryList, engine, { limit: RECENT }, caller);
  server.registerResource(
    'standing',
    'memory://standing',
    {
      title: 'Standing memory',
      description: 'What always holds: pinned memories, instructions, preferences.',
      ...TEXT,
    },
    (uri) =>
      reading(
        uri,
        async () => (await memoryContext(engine, {}, caller)).text || 'Nothing is pinned or preferred yet.',
      ),
  );
  server.registerResource(
    'recent',
    'memory://recent',
    { title: 'Recent memories', description: `The newest ${RECENT} memories, one per line.`, ...TEXT },
    (uri) => reading(uri, async () => textOf(verbs.memoryList, await recent())),
  );
  server.registerResource(
    'memory',
    new ResourceTemplate('memory://memories/{id}', {
      list: async () => ({
        resources: (await recent()).map((record) => ({
          ...{ uri: uriOf(record), name: record.id, title: titleOf(record) },
          ...TEXT,
        })),
      }),
    }),
    { title: 'A memory', description: 'One memory in full, by its id.', ...TEXT },
    (uri, { id }) =>
      reading(uri, async () =>
        textOf(verbs.memoryGet, await callVerb(verbs.memoryGet, engine, { id: String(id) }, caller)),
      ),
  );
}
