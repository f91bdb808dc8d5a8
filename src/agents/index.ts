/** Agents: the run loop, sessions, and the tools that they use. */
export { toChatMessage } from './chat-messages.ts';
export { type LoopParts, runLoop } from './loop.ts';
export * from './markdown/index.ts';
export { type PromptSettings, PromptSource } from './prompt-source.ts';
export type { Answer, RunEvent } from './run-events.ts';
export { type SendOptions, Session, type SessionEvent, type SessionTask } from './session.ts';
export {
  type AskOptions,
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
export { conversationTranscript, passingTranscript, type Transcript } from './transcript.ts';
export { untilStopped } from './until-stopped.ts';
