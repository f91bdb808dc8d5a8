/** Users of one agent who each have a secret in every layer that knows users, and everything that can be asked about it. */
import type { AgentHandle, Client } from '../../../src/index.ts';
import { COMMON } from './seed.ts';

export interface Person {
  readonly user: string;
  readonly secret: string;
  readonly memory: string;
}

/** Ids that a careless comparison, path, pattern or normalisation would take for one another. */
const SIMILAR = [
  'Dana',
  'dana',
  'dana ',
  ' dana',
  'dana%',
  'dan_',
  'org/42',
  'org/42/',
  '../dana',
  'é',
  'e\u0301',
];

export const userIds = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => SIMILAR[i] ?? `org/42/user/${i}`);

/** The secrets in a text. */
export const secretsOfUsers = (text: string): string[] => [...new Set(text.match(/quill\d+quill/g))];

export async function seedUser(client: Client, user: string, number: number): Promise<Person> {
  const secret = `quill${number}quill`;
  const text = `The ${COMMON} is ${secret}.`;
  const agent = client.agent({ name: 'support', user });
  const { id } = await agent.memory.add({ content: `Before: ${text}`, tags: [secret], metadata: { secret } });
  await agent.memory.update(id, { content: text });
  await client.user(user).memory.add({ content: `Everywhere: ${text}`, pinned: true });
  await agent.memory.add({ content: `Shared: ${text}`, scope: 'swarm' });
  await agent.log.add('User', text);
  await agent.conversation('chat').log.add('User', `In a thread: ${text}`);
  await agent.conversation(`${secret} thread`).log.add('User', `Archived: ${text}`);
  await agent.conversation(`${secret} thread`).log.archive();
  await agent.items.write([
    { op: 'put', namespace: ['canary'], key: 'secret', value: { secret }, texts: [text] },
  ]);
  await agent.sections.save('canary', text);
  await agent.knowledge.store(`Stored: ${text}`);
  return { user, secret, memory: id };
}

const saidBy = (call: () => Promise<unknown>): Promise<unknown> =>
  call().catch((error: Error) => error.message);

/** Everything that the SDK reads for an agent that serves a user, also by the id of a memory of somebody else. */
export async function readAll(agent: AgentHandle, other: Person): Promise<string> {
  const { memory, items } = agent;
  const calls: (() => Promise<unknown>)[] = [
    ...[
      () => memory.list({ limit: 1000, state: 'any' }),
      () => memory.recall(COMMON, { threads: 20 }),
      () => memory.standing(),
      () => memory.profile({ maxChars: 100_000 }),
    ],
    ...[
      () => memory.search(COMMON, { limit: 100, minRelevance: 0 }),
      () => memory.context(COMMON, { threads: 20 }),
    ],
    ...[() => memory.get(other.memory), () => memory.history(other.memory)],
    ...[() => memory.update(other.memory, { content: 'Mine.' }), () => memory.forget(other.memory)],
    ...[() => agent.sections.list(), () => agent.sections.get('canary'), () => agent.sections.index()],
    ...[() => agent.knowledge.list(), () => agent.knowledge.search(COMMON, { limit: 100 })],
    ...[() => items.list({}), () => items.get(['canary'], ['secret']), () => items.search(COMMON)],
    ...[() => agent.log.list(), () => agent.log.search(COMMON, { limit: 100, allThreads: true })],
    ...[agent, agent.conversation('chat'), agent.conversation(`${other.secret} thread`)].flatMap(
      ({ log }) => [() => log.get({ limit: 100 }), () => log.search(COMMON), () => log.export('json')],
    ),
  ];
  const said: unknown[] = [];
  for (const call of calls) said.push(await saidBy(call));
  return JSON.stringify(said).replaceAll(`${other.secret} thread`, '(the thread that was asked for)');
}
