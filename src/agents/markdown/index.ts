/** Agents that are defined by Markdown files. */
export {
  conversationsInFiles,
  type ExaminedAgent,
  examineAgents,
  listAgentFiles,
  loadAgent,
} from './agent-files.ts';
export type { AgentRole } from './agent-role.ts';
export { type ChosenTools, chooseTools, type ToolPack } from './built-in-tools.ts';
export { type DefinedConversation, definedConversation } from './conversation.ts';
export { type AgentDefinition, parseAgent } from './definition.ts';
export type { AgentProblem } from './problems.ts';
export { ScheduleBook, type ScheduleEntry } from './schedule-book.ts';
export { Scheduler, type SchedulerEvent, type SchedulerParts, timingOf } from './scheduler.ts';
export { describeTrigger, nextTime, type Schedule, type Trigger, timesBetween } from './trigger.ts';
