/** Working memory: the state that the participants of one swarm run share. */
export type { PatchOperation } from './json-patch.ts';
export type { StatePath } from './path.ts';
export {
  type Changed,
  type ChangeOptions,
  RunState,
  STATE_LEASE,
  toDocument,
  type WatchOptions,
} from './run-state.ts';
export { judgeState } from './state-guard.ts';
