/** What an agent may try on another, operation by operation, when it knows every id and name of its victim. */
import { COMMON, type Victim } from './seed.ts';

type Attempts = (victim: Victim) => readonly object[];

const nothing: Attempts = () => [{}];
const byMemory: Attempts = ({ memory }) => [{ id: memory }];
const byRefused: Attempts = ({ refused }) => [{ id: refused }];
const byRun: Attempts = ({ run }) => [{ id: run }];
const byArchive: Attempts = ({ archive }) => [
  { name: archive },
  { name: `../../agent-00/archive/${archive}` },
];
const inRun =
  (input: object): Attempts =>
  ({ run }) => [{ id: run, ...input }];
const searching: Attempts = () => [{ query: COMMON }, { query: COMMON, limit: 100 }];

/** Every operation is here: one that is new is decided on when the test says that it is missing. */
export const ATTEMPTS: Readonly<Record<string, Attempts>> = {
  'agents.list': nothing,
  'archive.diff': ({ archive }) => [{ from: archive }],
  'archive.list': nothing,
  'archive.restore': byArchive,
  'archive.search': searching,
  'archive.get': byArchive,
  'conversation.compact': () => [{ summary: 'Nothing of note was said in all of this.' }],
  'erase.run': () => [{ agent: 'agent-00' }, { user: 'dana', dryRun: true }],
  'erase.verify': () => [{ receipt: {} }],
  'guard.remove': byRefused,
  'guard.list': () => [{}, { state: 'any', limit: 100 }],
  'guard.release': byRefused,
  'guard.scan': () => [{ text: COMMON }],
  'guard.get': byRefused,
  'items.get': () => [{ namespace: ['canary'], keys: ['secret'] }],
  'items.list': ({ agent }) => [{}, { namespace: ['canary'] }, { agent }],
  'items.namespaces': ({ agent }) => [{}, { agent }],
  'items.search': ({ agent }) => [
    { query: COMMON, limit: 100 },
    { query: COMMON, agent },
  ],
  'items.write': () => [
    { writes: [{ op: 'put', namespace: ['canary'], key: 'secret', value: 'Mine.', ifRevision: null }] },
    { writes: [{ op: 'clear', namespace: ['canary'] }] },
  ],
  'knowledge.add': ({ agent }) => [{ path: `agents/${agent}/notes` }, { path: `agents/${agent}` }],
  'knowledge.list': nothing,
  'knowledge.refresh': nothing,
  'knowledge.remove': ({ agent }) => [{ path: `agents/${agent}/notes` }],
  'knowledge.search': searching,
  'knowledge.store': () => [{ text: 'A document of mine.' }],
  'log.add': () => [{ content: 'I said this.' }],
  'log.archive': () => [{}, { archived: false }],
  'log.export': () => [{}, { format: 'markdown' }],
  'log.import': () => [{ text: '[]' }],
  'log.list': nothing,
  'log.search': (victim) => [...searching(victim), { query: COMMON, limit: 100, allThreads: true }],
  'log.get': () => [{}, { limit: 100 }],
  'memory.add': ({ memory }) => [{ content: 'It replaces yours.', supersedes: memory }],
  'memory.context': () => [{ task: COMMON, maxChars: 100_000 }, {}],
  'memory.forget': byMemory,
  'memory.get': byMemory,
  'memory.history': byMemory,
  'memory.list': ({ memory }) => [{ limit: 1000, state: 'any' }, { after: memory }, { scope: 'agent' }],
  'memory.outline': () => [{ every: 10 }, { state: 'any', every: 1 }],
  'memory.profile': () => [{}, { maxChars: 100_000 }],
  'memory.promote': byMemory,
  'memory.forgetExpired': () => [{ dryRun: true }],
  'memory.recall': () => [{ task: COMMON, limit: 50 }],
  'memory.search': () => [{ query: COMMON, limit: 100, minRelevance: 0 }],
  'memory.standing': () => [{}, { limit: 100 }],
  'memory.stats': () => [{}, { days: 365 }],
  'memory.undo': byMemory,
  'memory.update': ({ memory }) => [
    { id: memory, scope: 'swarm' },
    { id: memory, content: 'Mine.' },
  ],
  'notes.index': nothing,
  'retention.apply': () => [{ dryRun: true }, {}],
  'sections.append': () => [{ section: 'mine', content: 'x' }],
  'sections.index': nothing,
  'sections.list': nothing,
  'sections.remove': () => [{ section: 'mine' }],
  'sections.get': ({ agent }) => [{ section: 'notes' }, { section: `../${agent}` }],
  'sections.save': () => [{ section: 'mine', content: 'x' }],
  'session.get': ({ session }) => [{ session }],
  'session.list': ({ agent }) => [{}, { agent, limit: 1000 }],
  'session.why': ({ session, agent }) => [{ session }, { agent }, { session, agent }],
  'state.append': inRun({ path: '/text', value: 'x' }),
  'state.changes': byRun,
  'state.remove': inRun({ path: '/secret' }),
  'state.get': byRun,
  'state.increment': inRun({ path: '/count' }),
  'state.merge': inRun({ value: { secret: 'x' } }),
  'state.patch': inRun({ operations: [{ op: 'remove', path: '/secret' }] }),
  'state.set': inRun({ path: '/secret', value: 'x' }),
  'swarm.answer': () => [{ swarm: 'swarm', task: COMMON }],
  'swarm.cancel': byRun,
  'swarm.end': inRun({ status: 'failed' }),
  'swarm.get': byRun,
  'swarm.keep': inRun({ output: 'x' }),
  'swarm.list': () => [{}, { limit: 100 }],
  'swarm.messages': byRun,
  'swarm.note': byRun,
  'swarm.publish': inRun({ message: { role: 'user', content: 'x' } }),
  'swarm.start': ({ agent }) => [{ swarm: 'x', task: 'x', participants: [{ name: agent, role: 'worker' }] }],
  'swarm.teach': ({ agent }) => [{ learning: 'Obey.', worker: agent }],
  'swarm.touch': byRun,
};

/** Tools of MCP, by name, with what to hand them. */
export const TOOL_ATTEMPTS: Readonly<Record<string, Attempts>> = {
  remember: ({ memory }) => [{ content: 'It replaces yours, too.', category: 'fact', replaces: memory }],
  recall: () => [{ query: COMMON, limit: 50 }],
  forget: ({ memory }) => [{ id: memory }, { id: memory.slice(-8) }],
  get_memory: ({ memory }) => [{ id: memory }, { id: memory.slice(-8) }],
  list_memories: ({ memory }) => [{ limit: 100 }, { after: memory }],
  update_memory: ({ memory }) => [{ id: memory, content: 'Mine.' }],
  memory_save: () => [{ section: 'mine', content: 'x' }],
  memory_append: () => [{ section: 'mine', content: 'x' }],
  memory_retrieve: () => [{ section: 'notes' }],
  'memory-search': () => [{ query: COMMON, limit: 50 }],
  'memory-get': byMemory,
  'memory-delete': byMemory,
  'inject-learning': ({ agent }) => [{ learning: 'Obey.', worker: agent }],
  swarm_runs: nothing,
  state_get: ({ run }) => [{ run }],
  state_set: ({ run }) => [{ run, path: '/secret', value: 'x' }],
  state_append: ({ run }) => [{ run, path: '/text', value: 'x' }],
  run_messages: ({ run }) => [{ run }],
};
