/** Swarms: runs that agents work on together. */
export { admitted } from './admission.ts';
export { type Participation, sharedTranscript } from './participation.ts';
export { research } from './research.ts';
export { type AskOptions, type Member, SwarmRun } from './swarm-run.ts';
export { runTools } from './tools.ts';
