/** The collections of one workspace: for each embedding model one of all memories and one of results of swarms, made when first needed. */

import { createHash } from 'node:crypto';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { FeedModel, VectorChange } from '../../ports/vector-feed.ts';
import { type Health, Missing, type QdrantClient } from './client.ts';
import { type Condition, FIELDS, isResult, payloadOf, resultPayloadOf } from './payload.ts';
import { type Described, parametersOf, type Shape, shapeOf, shortened, vectorsOf } from './shape.ts';
import type { SparseVector, WordSpace } from './word-space.ts';

/** Background requests may take longer, and longest on a server that answers small requests and is slow with large ones. */
const WRITE_MS = 3_000;
const LONGEST_WRITE_MS = 48_000;
/** Creating a collection in a cluster needs the agreement of its nodes. */
const CREATE_MS = 20_000;
/** Numbers in one request: some ten megabytes of JSON, a third of what Qdrant takes. */
const MOST_NUMBERS = 1_000_000;
/** The collection that document 002 names. */
const RESULTS = 'swarm-memory';
export const DEFAULT_PREFIX = 'keepsake';
const CONFLICT = 409;
const REFUSED = 400;

export interface CollectionOptions {
  /** Prefix of the names of all collections. */
  readonly prefix: string;
  /** On how many nodes of a cluster each point is. */
  readonly replicas: number;
}

export interface ScoredPoint {
  readonly id: number;
  readonly score: number;
}

export interface Point extends ScoredPoint {
  readonly record: string;
}

interface Answered {
  readonly id: number;
  readonly score: number;
  readonly payload: { readonly record: string; readonly version?: number };
}

interface Page {
  readonly points: readonly Answered[];
  readonly next_page_offset: number | null;
}

type Model = Pick<FeedModel, 'id' | 'dimensions'>;

/** For a collection that does not exist yet. */
interface Making {
  /** Comes first: a process may die right after it created a collection, and others take its existence as a sign that it is complete. */
  readonly before: () => Promise<void>;
  readonly words: () => Promise<WordSpace | undefined>;
  /** The payload that is indexed. */
  readonly fields?: typeof FIELDS;
}

export class Collections {
  readonly #client: QdrantClient;
  readonly #options: CollectionOptions;
  readonly #known = new Map<string, Shape>();
  #patience = WRITE_MS;

  constructor(client: QdrantClient, options: CollectionOptions) {
    this.#client = client;
    this.#options = options;
  }

  get health(): Health {
    return this.#client.health;
  }

  nameOf(identity: string, { id, dimensions }: Model): string {
    const readable = id.replace(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60);
    const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
    return `${this.#options.prefix}_${identity}_${readable}_${dimensions}_${hash}`;
  }

  /** Of the results of swarms. */
  resultsOf(identity: string, { id, dimensions }: Model): string {
    const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
    return `${this.#options.prefix}_${identity}_${RESULTS}_${dimensions}_${hash}`;
  }

  /** The name under which other programs find the results. Of several workspaces with one prefix, the first has it. */
  async nameResults(identity: string, name: string): Promise<void> {
    const { prefix } = this.#options;
    const alias = prefix === DEFAULT_PREFIX ? RESULTS : `${prefix}_${RESULTS}`;
    const { aliases } = await this.#client.call<{
      aliases: { alias_name: string; collection_name: string }[];
    }>('GET', '/aliases');
    const present = aliases.find(({ alias_name }) => alias_name === alias)?.collection_name;
    if (present === name || (present !== undefined && !present.startsWith(`${prefix}_${identity}_`))) return;
    const create = { create_alias: { alias_name: alias, collection_name: name } };
    const remove = present === undefined ? [] : [{ delete_alias: { alias_name: alias } }];
    try {
      await this.#client.call('POST', '/collections/aliases', { actions: [...remove, create] }, CREATE_MS);
    } catch (error) {
      // A collection of somebody else has this name.
      if (!KeepsakeError.is(error) || ![REFUSED, CONFLICT].includes(Number(error.details.status)))
        throw error;
    }
  }

  async ensure(name: string, dimensions: number, { before, words, fields = FIELDS }: Making): Promise<Shape> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (!(await this.exists(name))) {
      await before();
      await this.#create(name, parametersOf(dimensions, await words()));
    }
    // Also when another process created it a moment ago, and died before it came to this.
    await this.#indexFields(name, fields);
    return this.shape(name);
  }

  /** The shape it was created with, by whichever process. */
  async shape(name: string): Promise<Shape> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const shape = shapeOf(await this.#client.call<Described>('GET', `/collections/${name}`));
    this.#known.set(name, shape);
    return shape;
  }

  async exists(name: string): Promise<boolean> {
    return (await this.#client.call<{ exists: boolean }>('GET', `/collections/${name}/exists`)).exists;
  }

  async #create(name: string, parameters: object): Promise<void> {
    const { replicas } = this.#options;
    const body = { ...parameters, ...(replicas > 1 ? { replication_factor: replicas } : {}) };
    try {
      await this.#client.call('PUT', `/collections/${name}?timeout=15`, body, CREATE_MS);
    } catch (error) {
      // Another process was quicker.
      if (!KeepsakeError.is(error) || error.details.status !== CONFLICT) throw error;
    }
  }

  async #indexFields(name: string, fields: typeof FIELDS): Promise<void> {
    for (const [field, type] of Object.entries(fields)) {
      const schema = field === 'agent' ? { type, is_tenant: true } : { type };
      const body = { field_name: field, field_schema: schema };
      // Not waited for: what is searched meanwhile is found without it.
      await this.#client.call('PUT', `/collections/${name}/index?wait=false`, body, WRITE_MS);
    }
  }

  /** Resolves once they can be found. */
  async put(name: string, changes: readonly VectorChange[], payload = payloadOf): Promise<void> {
    const shape = await this.shape(name);
    const states = changes.filter(({ vector }) => vector !== undefined);
    const size = Math.max(1, Math.floor(MOST_NUMBERS / (states[0]?.vector?.vector.length ?? 1)));
    for (let start = 0; start < states.length; start += size) {
      const points = states.slice(start, start + size).map((change) => ({
        id: change.change,
        vector: vectorsOf(change.vector!, shape),
        payload: payload(change, change.vector!.record),
      }));
      const body = { points };
      await this.#patiently(name, (patience) =>
        this.#client.call('PUT', `/collections/${name}/points?wait=true`, body, patience),
      );
    }
  }

  async putResults(name: string, changes: readonly VectorChange[]): Promise<void> {
    await this.put(name, changes.filter(isResult), resultPayloadOf);
  }

  /** Removes earlier states of records; by number, so that a newer state never goes. */
  async removeOlder(name: string, changes: readonly Pick<VectorChange, 'id' | 'change'>[]): Promise<void> {
    const older: Condition[] = changes.map(({ id, change }) => ({
      must: [
        { key: 'record', match: { value: id } },
        { key: 'change', range: { lt: change } },
      ],
    }));
    await this.#delete(name, { filter: { should: older } });
  }

  async remove(name: string, ids: readonly number[]): Promise<void> {
    await this.#delete(name, { points: ids });
  }

  async #delete(name: string, what: object): Promise<void> {
    await this.#patiently(name, (patience) =>
      this.#client.call('POST', `/collections/${name}/points/delete?wait=true`, what, patience),
    );
  }

  /** Best first. `exact`: looks at every point that passes. */
  nearest(
    name: string,
    vector: Float32Array,
    must: readonly Condition[],
    { limit, without, exact }: { limit: number; without: readonly number[]; exact: boolean },
  ): Promise<Point[]> {
    return this.#noticing(name, async () => {
      const { meaning } = await this.shape(name);
      const points = await this.#query<Answered>(name, {
        query: shortened(vector),
        ...defined({ using: meaning }),
        filter: passing(must, without),
        limit,
        params: exact ? { exact } : { hnsw_ef: Math.max(128, 2 * limit) },
        with_payload: ['record'],
      });
      return points.map(({ id, score, payload: { record } }) => ({ id, score, record }));
    });
  }

  /** By their words, best first; always exact. */
  best(
    name: string,
    space: WordSpace,
    words: SparseVector,
    must: readonly Condition[],
    { limit, without }: { limit: number; without: readonly number[] },
  ): Promise<ScoredPoint[]> {
    const body = { query: words, using: space.name, filter: passing(must, without), limit };
    return this.#noticing(name, () => this.#query(name, body));
  }

  async #query<Found extends ScoredPoint>(name: string, body: object): Promise<Found[]> {
    const path = `/collections/${name}/points/query`;
    const { points } = await this.#client.call<{ points: Found[] }>('POST', path, body);
    return points;
  }

  /** Numbers and what they represent, in their order, from one on. */
  async page(
    name: string,
    from: number,
    limit: number,
  ): Promise<{ id: number; record: string; version: number }[]> {
    const body = { limit, offset: from, with_payload: ['record', 'version'], with_vector: false };
    const { points } = await this.#client.call<{ points: Answered[] }>(
      'POST',
      `/collections/${name}/points/scroll`,
      body,
      WRITE_MS,
    );
    return points.map(({ id, payload: { record, version = 0 } }) => ({ id, record, version }));
  }

  /** Those of the numbers that exist. */
  async present(name: string, ids: readonly number[]): Promise<number[]> {
    const body = { ids, with_payload: false, with_vector: false };
    const points = await this.#client.call<Answered[]>('POST', `/collections/${name}/points`, body, WRITE_MS);
    return points.map(({ id }) => id);
  }

  /** Points without the words that they should have. */
  async wordless(name: string): Promise<number[]> {
    const { words } = await this.shape(name);
    return words === undefined ? [] : this.#scroll(name, { must_not: [{ has_vector: words.name }] });
  }

  /** Points of results of swarms. */
  results(name: string): Promise<number[]> {
    return this.#scroll(name, { must: [{ key: 'source', match: { value: 'swarm_result' } }] });
  }

  async #scroll(name: string, filter: object): Promise<number[]> {
    const found: number[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const body: object = { limit: 1_000, offset, filter, with_payload: false, with_vector: false };
      const page: Page = await this.#patiently(name, (patience) =>
        this.#client.call<Page>('POST', `/collections/${name}/points/scroll`, body, patience),
      );
      found.push(...page.points.map(({ id }) => id));
      offset = page.next_page_offset;
    }
    return found;
  }

  async count(name: string): Promise<number> {
    const path = `/collections/${name}/points/count`;
    const { count } = await this.#patiently(name, (patience) =>
      this.#client.call<{ count: number }>('POST', path, { exact: true }, patience),
    );
    return count;
  }

  async namesOf(identity: string): Promise<string[]> {
    const { collections } = await this.#client.call<{ collections: { name: string }[] }>(
      'GET',
      '/collections',
    );
    const beginning = `${this.#options.prefix}_${identity}_`;
    return collections.map(({ name }) => name).filter((name) => name.startsWith(beginning));
  }

  async drop(name: string): Promise<void> {
    this.#known.delete(name);
    await this.#client.call('DELETE', `/collections/${name}?timeout=15`, undefined, CREATE_MS);
  }

  /** Whether the server answers. */
  async probe(): Promise<void> {
    await this.#client.call('GET', '/collections');
  }

  /** A collection that somebody deleted is created again the next time; the shape of one with other vectors is read again. */
  async #noticing<T>(name: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const isOther = KeepsakeError.is(error) && error.details.status === REFUSED;
      if (isOther || error instanceof Missing) this.#known.delete(name);
      throw error;
    }
  }

  /** A server that was too slow gets more time. */
  async #patiently<T>(name: string, call: (patience: number) => Promise<T>): Promise<T> {
    try {
      const result = await this.#noticing(name, () => call(this.#patience));
      this.#patience = WRITE_MS;
      return result;
    } catch (error) {
      this.#patience = Math.min(2 * this.#patience, LONGEST_WRITE_MS);
      throw error;
    }
  }
}

function passing(must: readonly Condition[], without: readonly number[]): object {
  return { must, ...(without.length === 0 ? {} : { must_not: [{ has_id: without }] }) };
}
