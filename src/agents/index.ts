/** Agents: the run loop, sessions, and the tools that they use. */
export { AgentRun, type AgentRunPlan } from './agent-run.ts';
export { Instructions } from './instructions.ts';
export * from './markdown/index.ts';
export { ModelLoop } from './model-loop.ts';
export { ShownMemories } from './prompt-receipts.ts';
export { PromptSource } from './prompt-source.ts';
export type { Answer, RunEvent } from './run-events.ts';
export type { MemoryPolicy, RunServices, SessionKind } from './run-services.ts';
export { type SendOptions, Session } from './session.ts';
export {
  type AskOptions,
  admitted,
  type Member,
  type Participation,
  research,
  runTools,
  SwarmRun,
  sharedTranscript,
} from './swarm/index.ts';
export type { Tool, ToolContext } from './tool.ts';
export { fileTools } from './tools/files.ts';
export { httpTool } from './tools/http.ts';
export { moreContextTool } from './tools/more-context.ts';
export { passingTranscript } from './transcript.ts';
export { untilStopped } from './until-stopped.ts';
