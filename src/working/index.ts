/** Working memory: the runs of swarms, and the state that the participants of one share. */
export type { PatchOperation } from './json-patch.ts';
export { injectLearning, type Learning, learningInput } from './lessons.ts';
export { type StatePath, toKeys, toPointer } from './path.ts';
export { COORDINATED_LEASE_MS, HEARTBEAT_MS, livesByState } from './rules/run-life.ts';
export { hasParticipant, namesUser } from './rules/run-subjects.ts';
export { type IntendedWrite, RunState, STATE_LEASE } from './run-state.ts';
export { CACHE_KINDS, type CachedAnswer, type CacheKind } from './runs/answer-cache.ts';
export * as swarmInputs from './runs/inputs.ts';
export { LocalRuns } from './runs/local-runs.ts';
export { type BusReading, noRun, RunHandle } from './runs/run-handle.ts';
export type {
  Actor,
  BusWatch,
  RunServices,
} from './runs/run-services.ts';
export {
  type KeepResultInput,
  type StartedRun,
  type StartRunInput,
  SwarmService,
} from './runs/swarm-service.ts';
export type {
  Changed,
  ChangeOptions,
  ChangesQuery,
  SharedState,
  StateLook,
  StateView,
  WatchOptions,
} from './shared-state.ts';
export { toJson } from './values.ts';
