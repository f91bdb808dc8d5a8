/** A LangGraph store on Keepsake: exact keys, namespaces, filters with operators, and search by meaning. */
import {
  BaseStore,
  type GetOperation,
  getTextAtPath,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import type { AgentHandle, Client } from '../../client/index.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { checkOptions, OWNER_OPTIONS } from '../common/check-options.ts';
import { clientOf, memoryOf } from '../common/memory-of.ts';
import type { WhichStore } from '../common/options.ts';

export interface KeepsakeStoreOptions extends WhichStore {
  /** The agent whose items they are. Default: "assistant". */
  readonly agent?: string | undefined;
  /** The person to whom everything in this store belongs. Default: nobody in particular. */
  readonly user?: string | undefined;
  /**
   * Whose values a namespace holds, for a store that serves many people: `(namespace) => namespace[1]`. Erasing a user then
   * erases them. A search whose prefix belongs to nobody looks at all of them, for which a server's key must be the owner's.
   */
  readonly userOf?: ((namespace: readonly string[]) => string | undefined) | undefined;
  /** The fields by which values are found, as for `put`. Default: the whole value. */
  readonly index?: { readonly fields?: readonly string[] } | false | undefined;
}

type Items = AgentHandle['items'];
type StoredItem = Awaited<ReturnType<Items['list']>>[number] & { readonly score?: number | null };

const ROOT = ['langgraph', 'store'];
const MOST = 1_000;

export class KeepsakeStore extends BaseStore {
  readonly #options: KeepsakeStoreOptions;
  readonly #client: Client;

  constructor(options: KeepsakeStoreOptions = {}) {
    super();
    checkOptions('KeepsakeStore', options, { ...OWNER_OPTIONS, userOf: true, index: true });
    this.#options = options;
    this.#client = clientOf(options);
  }

  /** Reads first, as they were before; then all puts. Of several puts of one key the last one counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    const puts = new Map<string, PutOperation>();
    for (const operation of operations) {
      if (isPut(operation)) puts.set(JSON.stringify([operation.namespace, operation.key]), operation);
    }
    await this.#put([...puts.values()]);
    return results as OperationResults<Op>;
  }

  #read(operation: Operation): Promise<unknown> {
    if ('namespacePrefix' in operation) return this.#search(operation);
    if (isPut(operation)) return Promise.resolve(undefined);
    if ('key' in operation) return this.#get(operation);
    return this.#namespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const [item] = await this.#itemsOf(namespace).get([...ROOT, ...namespace], [key]);
    return item === undefined ? null : toItem(item);
  }

  async #search({ namespacePrefix, filter, limit = 10, offset = 0, query }: SearchOperation) {
    const { items, whose } = this.#place(namespacePrefix);
    const where = { ...whose, namespace: [...ROOT, ...namespacePrefix], ...(filter && { filter }) };
    const found: StoredItem[] = [];
    while (found.length < limit) {
      const size = Math.min(MOST, limit - found.length);
      const page = { ...where, limit: size, offset: offset + found.length };
      const next: readonly StoredItem[] = query ? await items.search(query, page) : await items.list(page);
      found.push(...next);
      if (next.length < size) break;
    }
    return found.map(toSearchItem);
  }

  async #put(operations: readonly PutOperation[]): Promise<void> {
    const byUser = Map.groupBy(operations, ({ namespace }) => this.#userOf(namespace));
    for (const own of byUser.values()) {
      await this.#itemsOf(own[0]!.namespace).write(own.map((operation) => this.#toWrite(operation)));
    }
  }

  #toWrite({ namespace, key, value, index }: PutOperation) {
    const name = { namespace: [...ROOT, ...namespace], key };
    if (value === null) return { op: 'remove', ...name } as const;
    // As JSON holds it: what cannot be read back is not kept.
    const kept = JSON.parse(JSON.stringify(value)) as JsonValue;
    return { op: 'put', ...name, value: kept, texts: this.#texts(kept, index) } as const;
  }

  #texts(value: JsonValue, index: PutOperation['index']): string[] {
    const standard = this.#options.index;
    if (index === false || (index === undefined && standard === false)) return [];
    const paths = index ?? (standard === false ? undefined : standard?.fields) ?? ['$'];
    return paths.flatMap((path) => getTextAtPath(value, path)).filter((text) => text.trim() !== '');
  }

  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation) {
    const { items, whose } = this.#place([]);
    const all: string[][] = [];
    for (;;) {
      const page = await items.namespaces({ ...whose, prefix: ROOT, limit: MOST, offset: all.length });
      all.push(...page.map((namespace) => namespace.slice(ROOT.length)));
      if (page.length < MOST) break;
    }
    const meant = all.filter((namespace) => matchConditions.every((each) => matches(namespace, each)));
    const cut = meant.map((namespace) => (maxDepth === undefined ? namespace : namespace.slice(0, maxDepth)));
    const once = [...new Map(cut.map((namespace) => [JSON.stringify(namespace), namespace])).values()];
    return once.slice(offset, offset + limit);
  }

  #userOf(namespace: readonly string[]): string | undefined {
    return this.#options.userOf === undefined ? this.#options.user : this.#options.userOf(namespace);
  }

  #itemsOf(namespace: readonly string[]): Items {
    return memoryOf({ ...this.#options, client: this.#client, user: this.#userOf(namespace) }).items;
  }

  /** Whose values a prefix means; those of every user if it says nothing about one. */
  #place(prefix: readonly string[]) {
    const { userOf, agent = 'assistant' } = this.#options;
    if (userOf === undefined || userOf(prefix) !== undefined) {
      return { items: this.#itemsOf(prefix), whose: {} };
    }
    return { items: this.#client.items, whose: { agent } };
  }
}

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation;

function toItem({ namespace, key, value, createdAt, updatedAt }: StoredItem): Item {
  return {
    namespace: namespace.slice(ROOT.length),
    key,
    value: value as Record<string, unknown>,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

function toSearchItem(item: StoredItem): SearchItem {
  return item.score == null ? toItem(item) : { ...toItem(item), score: item.score };
}

function matches(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false;
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, i) => label === '*' || label === namespace[from + i]);
}
