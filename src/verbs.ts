/** Every verb of Keepsake, collected from the verbs.ts of the layers: what these files export is a verb. */
import { type AgentListServices, agentsList } from './agents/verbs.ts';
import * as context from './context/verbs.ts';
import * as conversation from './conversation/verbs.ts';
import * as guard from './guard/verbs.ts';
import * as items from './items/verbs.ts';
import type { AnyVerb } from './kernel/verb.ts';
import * as knowledge from './knowledge/verbs.ts';
import * as records from './records/verbs.ts';
import * as sections from './sections/verbs.ts';
import * as erase from './transfer/verbs.ts';
import * as working from './working/verbs.ts';

export const verbs = {
  ...records,
  ...conversation,
  ...sections,
  ...knowledge,
  ...items,
  ...guard,
  ...working,
  ...context,
  ...erase,
  agentsList,
};

/** By name: bundlers disagree about the order of what a module exports. */
export const VERBS: readonly AnyVerb[] = Object.values(verbs).sort((a, b) => (a.name < b.name ? -1 : 1));

/** What the verbs work with; the client opens it. */
export interface Services
  extends records.MemoryServices,
    conversation.ConversationServices,
    sections.SectionServices,
    knowledge.KnowledgeServices,
    items.ItemServices,
    guard.GuardServices,
    working.SwarmServices,
    context.PromptServices,
    erase.EraseServices,
    erase.RetentionServices,
    AgentListServices {}
