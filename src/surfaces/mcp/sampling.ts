/** Uses the model of a connected client through MCP sampling, if the client supports it. */
import type { McpServer } from '@modelcontextprotocol/server';
import type { GenerateRequest } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';

export type Sample = (request: GenerateRequest) => Promise<string>;

/** The client may ask its user first. */
const LONGEST_MS = 110_000;
const MOST_TOKENS = 4_000;
/** From this revision on, a server may ask only while it answers a request of the client. */
const NO_LONGER = '2026';

/** Undefined where the client does not offer it. */
export function samplerOf({ server }: McpServer): Sample | undefined {
  const version = server.getNegotiatedProtocolVersion();
  const isOffered = server.getClientCapabilities()?.sampling !== undefined;
  if (!isOffered || version === undefined || version >= NO_LONGER) return undefined;
  return async ({ prompt, system, temperature, signal, maxTokens = MOST_TOKENS }) => {
    const { content } = await server.createMessage(
      {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens,
        ...defined({ systemPrompt: system, temperature }),
      },
      { timeout: LONGEST_MS, ...defined({ signal }) },
    );
    return content.type === 'text' ? content.text : '';
  };
}
