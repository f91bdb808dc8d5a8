/** Summarizes the memories about a person in sections, without a model. */
import { neutralise } from '../guard/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { Storage } from '../ports/storage.ts';
import { alwaysHolds, orderStanding } from '../records/index.ts';
import { inOneLine } from './entry.ts';
import { escapeFence } from './fence.ts';
import { PROFILE_SECTIONS, type ProfileSection, sectionOf } from './profile-section.ts';

type ProfileStorage = Pick<Storage, 'events' | 'records'>;

export interface ProfileParts {
  readonly storage: ProfileStorage;
  readonly clock: Clock;
}

export interface Profile {
  /** Empty when nothing is known. */
  readonly text: string;
  readonly sections: readonly { readonly name: ProfileSection; readonly memories: readonly MemoryRecord[] }[];
  /** The memories that the text rests on. */
  readonly ids: readonly string[];
  /** Memories about the person that had no room. */
  readonly leftOut: number;
}

/** Newest memories that are looked at; pinned ones, instructions and preferences of any age besides. */
const NEWEST = 300;
const MOST_STANDING = 100;
const TITLES: Readonly<Record<ProfileSection, string>> = {
  who: 'Who',
  preferences: 'Preferences',
  projects: 'Projects',
  people: 'People',
};

interface Cached {
  readonly seq: number;
  readonly until: number;
  readonly profile: Profile;
}

/** By store, so that clients of several workspaces in one process never share. */
const caches = new WeakMap<ProfileStorage, Map<string, Cached>>();
const MOST_CACHED = 500;
/** A memory may expire without an event. */
const CACHED_FOR_MS = 60_000;

export async function profileOf(
  { storage, clock }: ProfileParts,
  maxChars: number,
  caller: Pick<Caller, 'viewer'>,
): Promise<Profile> {
  const { agent, user, role } = caller.viewer;
  if (agent === undefined && user === undefined)
    throw new KeepsakeError('INVALID_INPUT', 'memory.profile needs a user.', {
      hint: 'Use client.user(id).profile(), an agent with a user, or --user on the command line.',
    });
  const cache = caches.get(storage) ?? new Map<string, Cached>();
  caches.set(storage, cache);
  const key = JSON.stringify([agent ?? null, user ?? null, role, maxChars]);
  const [seq, now] = [await storage.events.latest(), clock.now()];
  const known = cache.get(key);
  cache.delete(key);
  const isFresh = known !== undefined && known.seq === seq && now < known.until;
  const profile = isFresh ? known.profile : written(await gather(storage, now, caller), maxChars);
  cache.set(key, isFresh ? known : { seq, until: now + CACHED_FOR_MS, profile });
  if (cache.size > MOST_CACHED) cache.delete(cache.keys().next().value!);
  return profile;
}

/** What is about this person; without one, what the agent knows about nobody in particular. */
async function gather(
  storage: ProfileStorage,
  now: number,
  { viewer }: Pick<Caller, 'viewer'>,
): Promise<readonly MemoryRecord[]> {
  const about = { user: viewer.user ?? null, ...(viewer.user === undefined ? { agent: viewer.agent! } : {}) };
  const filter = { ...about, sources: ['manual', 'extracted'] as const };
  const list = (more: object, limit: number) =>
    storage.records.list({ viewer, now, filter: { ...filter, ...more }, limit });
  const pages = await Promise.all([
    list({ pinned: true }, MOST_STANDING),
    list({ categories: ['instruction', 'preference'] }, MOST_STANDING),
    list({}, NEWEST),
  ]);
  const distinct = new Map(pages.flat().map((record) => [record.id, record]));
  return orderStanding([...distinct.values()].filter(alwaysHolds), now);
}

const clean = (text: string): string => escapeFence(neutralise(text));

/** The sections take turns, so that many preferences leave room for who the person is. */
function written(records: readonly MemoryRecord[], maxChars: number): Profile {
  const waiting = new Map(PROFILE_SECTIONS.map((name) => [name, [] as MemoryRecord[]]));
  for (const record of records) waiting.get(sectionOf(record))!.push(record);
  const lines = new Map(PROFILE_SECTIONS.map((name) => [name, [] as string[]]));
  const chosen = new Map(PROFILE_SECTIONS.map((name) => [name, [] as MemoryRecord[]]));
  const said = new Set<string>();
  let left = maxChars;
  for (let isTaking = true; isTaking; ) {
    isTaking = false;
    for (const name of PROFILE_SECTIONS) {
      const record = waiting.get(name)!.shift();
      if (record === undefined) continue;
      isTaking = true;
      const line = `- ${inOneLine(record.content, clean)}`;
      const isFirst = lines.get(name)!.length === 0;
      const cost = line.length + 1 + (isFirst ? TITLES[name].length + 5 : 0);
      if (cost > left || said.has(line.toLowerCase())) continue;
      said.add(line.toLowerCase());
      left -= cost;
      lines.get(name)!.push(line);
      chosen.get(name)!.push(record);
    }
  }
  const used = PROFILE_SECTIONS.filter((name) => lines.get(name)!.length > 0);
  const ids = used.flatMap((name) => chosen.get(name)!.map(({ id }) => id));
  return {
    text: used.map((name) => [`## ${TITLES[name]}`, ...lines.get(name)!].join('\n')).join('\n\n'),
    sections: used.map((name) => ({ name, memories: chosen.get(name)! })),
    ids,
    leftOut: records.length - ids.length,
  };
}
