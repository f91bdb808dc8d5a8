/** A scripted model: a server for tests of agents, with faults on request. */
export type {
  Script,
  ScriptedAnswer,
  ScriptedFault,
  ScriptedFormat,
  ScriptedReply,
  ScriptedRequest,
  ScriptedToolCall,
} from './script.ts';
export { type ScriptedModel, scriptedModel } from './scripted-model.ts';
