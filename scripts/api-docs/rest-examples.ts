/** An input for each verb that the REST reference shows with curl and the SDK; test/docs/rest-examples.test.ts checks them. */
import type { AnyVerb } from '../../src/kernel/verb.ts';
import { nounsOf } from '../generate-sdk.ts';

const MEMORY = 'mem_01m7h5g58pbwph8n6rnddpz5nd';
const RUN = 'run_01m7h5g58pbwph8n6rnddpz5nd';
const ENTRY = 'qtn_01m7h5g58pbwph8n6rnddpz5nd';
const ARCHIVE = 'history_2026-04-20_14-30-45.md';

export const REST_INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'archive.diff': { from: ARCHIVE },
  'archive.get': { name: ARCHIVE },
  'archive.restore': { name: ARCHIVE },
  'archive.search': { query: 'invoice' },
  'conversation.compact': { summary: 'The auth module ships on Friday.', keepLast: 4 },
  'erase.run': { user: 'auth0|5f7c', dryRun: true },
  'guard.get': { id: ENTRY },
  'guard.list': { limit: 10 },
  'guard.release': { id: ENTRY },
  'guard.remove': { id: ENTRY },
  'guard.scan': { text: 'Prefers short answers.', origin: 'web' },
  'items.get': { namespace: ['tickets'], keys: ['42'] },
  'items.list': { namespace: ['tickets'], filter: { status: 'open' } },
  'items.namespaces': { maxDepth: 1 },
  'items.search': { query: 'cannot sign in', namespace: ['tickets'] },
  'items.write': { writes: [{ op: 'put', namespace: ['tickets'], key: '42', value: { status: 'open' } }] },
  'knowledge.add': { path: 'docs' },
  'knowledge.remove': { path: 'docs' },
  'knowledge.search': { query: 'how do I rotate the keys', limit: 3 },
  'knowledge.store': { text: 'The support line is open from 9 to 5.' },
  'log.add': { role: 'User', content: 'We ship on Friday.' },
  'log.export': { format: 'jsonl' },
  'log.get': { limit: 10 },
  'log.import': { text: '[{"role":"user","content":"We ship on Friday."}]' },
  'log.search': { query: 'ship' },
  'memory.add': { content: 'Prefers short answers.', category: 'preference' },
  'memory.context': { task: 'Open a pull request' },
  'memory.forget': { id: MEMORY },
  'memory.forgetExpired': { dryRun: true },
  'memory.get': { id: MEMORY, peek: true },
  'memory.history': { id: MEMORY },
  'memory.list': { category: 'preference', limit: 10 },
  'memory.profile': { maxChars: 800 },
  'memory.promote': { id: MEMORY },
  'memory.recall': { task: 'Open a pull request', maxChars: 1000 },
  'memory.search': { query: 'which answers does the user prefer?', limit: 3 },
  'memory.stats': { days: 7 },
  'memory.undo': { id: MEMORY },
  'memory.update': { id: MEMORY, content: 'Prefers answers of two sentences.' },
  'sections.append': { section: 'projects', content: 'Atlas: a map service.' },
  'sections.get': { section: 'projects' },
  'sections.remove': { section: 'projects' },
  'sections.save': { section: 'projects', content: 'Phoenix: an ETL pipeline.' },
  'session.get': { session: 'ses_01m7h5g58pbwph8n6rnddpz5nd' },
  'session.list': { limit: 10 },
  'state.append': { id: RUN, path: '/findings', value: 'Globex sells hydrogen.' },
  'state.get': { id: RUN, path: '/findings' },
  'state.increment': { id: RUN, path: '/checked', by: 1 },
  'state.merge': { id: RUN, value: { status: 'done' } },
  'state.remove': { id: RUN, path: '/findings/0' },
  'state.set': { id: RUN, path: '/status', value: 'done' },
  'swarm.cancel': { id: RUN, reason: 'The question was wrong.' },
  'swarm.get': { id: RUN },
  'swarm.list': { status: 'running' },
  'swarm.messages': { id: RUN, limit: 20 },
  'swarm.teach': { learning: 'Check the date of every source.', category: 'best-practice' },
};

/** Verbs without a method of a noun: the call in a program. */
const OTHER_CALLS: Readonly<Record<string, string>> = {
  'erase.run': "await client.erase({ user: 'auth0|5f7c', dryRun: true });",
  'state.append': "await (await client.runs.get(run)).state.append('/findings', 'Globex sells hydrogen.');",
  'state.get': "await (await client.runs.get(run)).state.get('/findings');",
  'state.increment': "await (await client.runs.get(run)).state.increment('/checked', 1);",
  'state.merge': "await (await client.runs.get(run)).state.merge({ status: 'done' });",
  'state.remove': "await (await client.runs.get(run)).state.remove('/findings/0');",
  'state.set': "await (await client.runs.get(run)).state.set('/status', 'done');",
  'swarm.cancel': "await (await client.runs.get(run)).cancel('The question was wrong.');",
  'swarm.get': 'await (await client.runs.get(run)).details();',
  'swarm.list': "await client.runs.list({ status: 'running' });",
  'swarm.messages': 'await (await client.runs.get(run)).messages({ limit: 20 });',
};

/** A JSON value as a TypeScript literal with single quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${literal(each)}`)
      .join(', ')} }`;
  return String(value);
}

/** The call of the SDK that does the same as the REST call; undefined if there is none. */
export function sdkCall(verb: AnyVerb): string | undefined {
  const other = OTHER_CALLS[verb.name];
  if (other !== undefined) return other;
  const method = [...nounsOf().values()]
    .flatMap(({ methods }) => methods)
    .find((each) => each.verb.name === verb.name);
  if (method === undefined) return undefined;
  const input = REST_INPUTS[verb.name] ?? {};
  const names = method.positionals.map(({ name }) => name);
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
  const given = names.filter((name) => input[name] !== undefined).map((name) => literal(input[name]));
  if (Object.keys(rest).length > 0) given.push(literal(rest));
  return `await ${method.who === 'owner' ? 'client' : 'agent'}.${method.noun}.${method.name}(${given.join(', ')});`;
}

/** An agent is named by a header. The keys of leads are bound to their agent and need none. */
export function headersFor(verb: AnyVerb): Readonly<Record<string, string>> {
  const isOfAgent = verb.role !== 'lead' && (sdkCall(verb)?.startsWith('await agent.') ?? false);
  return isOfAgent ? { 'Keepsake-Agent': 'my-agent' } : {};
}

/** For a shell: single quotes around the JSON. */
export function curlCall(path: string, verb: AnyVerb): string {
  const body = JSON.stringify(REST_INPUTS[verb.name] ?? {}).replaceAll("'", "'\\''");
  const headers = [
    'Content-Type: application/json',
    ...Object.entries(headersFor(verb)).map(([k, v]) => `${k}: ${v}`),
  ];
  return [
    `curl -s "$KEEPSAKE_URL${path}" -H "Authorization: Bearer $KEEPSAKE_KEY" \\`,
    `  ${headers.map((header) => `-H '${header}'`).join(' ')} \\`,
    `  -d '${body}'`,
  ].join('\n');
}
