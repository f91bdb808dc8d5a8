/** The MCP surface: over stdio for one client, and as a handler of requests for the HTTP server. */

export { mcpFetch } from './http.ts';
export { type Identity, type IdentityFlags, identityFrom } from './identity.ts';
export { PACK_NAMES, type PackName, packNames } from './packs.ts';
export { type Sample, samplerOf } from './sampling.ts';
export { keepStdoutClean, runStdio, type StdioSettings } from './serve-stdio.ts';
export type { McpServerSettings } from './server.ts';
