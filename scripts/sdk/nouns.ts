/** What an editor says about each noun of the SDK. A noun without a sentence here gets a plain one. */

interface Sentences {
  readonly owner?: string;
  readonly agent?: string;
}

const SENTENCES: Readonly<Record<string, Sentences>> = {
  memory: {
    owner:
      'The memory of all agents, as the owner of the workspace sees it. To add a memory, use the `memory` of an agent.',
    agent: 'Long-term memory: facts, preferences, what was learned.',
  },
  log: {
    owner: 'The conversations of all agents.',
    agent:
      'Everything that was said, also through a server; `shortMemory` is the same conversation as an object.',
  },
  archive: { agent: 'The transcripts that were saved before compactions.' },
  sections: { agent: 'Notes by topic that the agent curates itself, in agents/<name>.memory.md.' },
  knowledge: {
    owner: 'The external documents of all agents.',
    agent: 'External documents: indexed, searched, cited. MEMORY.md is not one of them.',
  },
  items: {
    owner: 'The JSON values that agents and adapters keep under exact names, of all agents and users.',
    agent: 'JSON values under exact names, for programs and adapters: no cap, no merging, atomic writes.',
  },
  notes: {
    owner: 'The notes that agents keep in files.',
    agent: 'The notes that the agent keeps in files.',
  },
  guard: { owner: 'What the guard refused and waits for a decision, and judging a text on request.' },
  agents: { owner: 'The agents that have memories.' },
  retention: { owner: 'Removing what is older than the configured ages.' },
};

export function sentenceOf(noun: string, who: 'owner' | 'agent'): string {
  return SENTENCES[noun]?.[who] ?? `The verbs of ${noun}.`;
}
