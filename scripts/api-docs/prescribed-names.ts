/** Names that the five source documents prescribe, and what each one is in Keepsake. The reference and a test read this list. */
export interface PrescribedName {
  readonly name: string;
  readonly kind: 'tool' | 'SDK' | 'command';
  /** The document: A conversations, B facts, C swarms, D Markdown agents, E scopes and ranking. */
  readonly document: 'A' | 'B' | 'C' | 'D' | 'E';
  /** The verb, method or command that it stands for. */
  readonly means: string;
}

export const PRESCRIBED_NAMES: readonly PrescribedName[] = [
  { name: 'shortMemory', kind: 'SDK', document: 'A', means: 'the conversation of an agent' },
  { name: 'longTermMemory', kind: 'SDK', document: 'A', means: 'external documents (`agent.knowledge`)' },
  { name: 'returnHistoryAsString', kind: 'SDK', document: 'A', means: '`conversation` as one text' },
  { name: 'remember', kind: 'tool', document: 'B', means: 'memory.add' },
  { name: 'recall', kind: 'tool', document: 'B', means: 'memory.recall' },
  { name: 'forget', kind: 'tool', document: 'B', means: 'memory.forget' },
  { name: 'memory_save', kind: 'tool', document: 'D', means: 'sections.save' },
  { name: 'memory_append', kind: 'tool', document: 'D', means: 'sections.append' },
  { name: 'memory_retrieve', kind: 'tool', document: 'D', means: 'sections.get' },
  { name: 'memory-search', kind: 'tool', document: 'E', means: 'memory.search' },
  { name: 'memory-get', kind: 'tool', document: 'E', means: 'memory.get' },
  { name: 'memory-delete', kind: 'tool', document: 'E', means: 'memory.forget' },
  { name: 'inject-learning', kind: 'tool', document: 'E', means: 'swarm.teach' },
];
