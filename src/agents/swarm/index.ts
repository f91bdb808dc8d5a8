/** Swarms: runs that agents work on together. */
export { NO_USAGE } from './account.ts';
export { type BusReading, type Participation, sharedTranscript } from './participation.ts';
export { research } from './research.ts';
export { PROGRAM, RunHandle, type RunServices, sweepRuns } from './run-handle.ts';
export { type AskOptions, type Member, SwarmRun } from './swarm-run.ts';
export { runTools } from './tools.ts';
