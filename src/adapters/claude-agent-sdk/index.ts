/** Keepsake for the Claude Agent SDK: `query({ options: { sessionStore: keepsakeSessions(), hooks: keepsakeHooks() } })`. */
export { type KeepsakeHooks, keepsakeHooks } from './hooks.ts';
export {
  type KeepsakeSessionStore,
  type KeepsakeSessionsOptions,
  keepsakeSessions,
  type SessionEntry,
  type SessionKey,
} from './sessions.ts';
