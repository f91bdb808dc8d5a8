/** Items: JSON values under exact names, without cap, merging or ageing. */
import { analyze } from '../kernel/analysis.ts';
import { type Caller, ownerOf, writingOwner } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { validate } from '../kernel/validate.ts';
import type {
  Item,
  ItemOutcome,
  ItemOwner,
  ItemPlace,
  ItemStore,
  ItemText,
  Namespace,
} from '../ports/item-store.ts';
import type { Embedder } from '../records/index.ts';
import {
  type Filter,
  type GetInput,
  getInput,
  type ListInput,
  listInput,
  type NamespacesInput,
  namespacesInput,
  type SearchInput,
  searchInput,
  type WriteInput,
  writeInput,
} from './inputs.ts';
import { hasPrefix, hasSuffix, matchesFilter } from './rules/matches.ts';
import { type FoundItem, searchItems } from './search.ts';

export interface ItemServiceParts {
  readonly store: ItemStore;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly isReadOnly: (agent: string) => boolean;
}

const PAGE = 500;

export class ItemService {
  readonly #parts: ItemServiceParts;

  constructor(parts: ItemServiceParts) {
    this.#parts = parts;
  }

  /** Those that exist, oldest first. */
  get(input: GetInput, caller: Caller): Promise<readonly Item[]> {
    const { namespace, keys } = validate(getInput, input, 'items.get');
    const place = { ...itemOwner(ownerOf(caller)), namespace, exact: true };
    return this.#parts.store.read({ ...place, keys, limit: keys.length });
  }

  async list(input: ListInput, caller: Caller): Promise<readonly Item[]> {
    const { limit, offset, filter, newest, after, before, ...where } = validate(
      listInput,
      input,
      'items.list',
    );
    const place = placeOf(where, caller);
    const found: Item[] = [];
    let skipped = 0;
    const pages = this.#pages(
      { ...place, newest, after, before },
      filter === undefined ? offset + limit : PAGE,
    );
    for await (const item of pages) {
      if (filter !== undefined && !matchesFilter(item.value, filter)) continue;
      if (skipped < offset) skipped++;
      else found.push(item);
      if (found.length === limit) break;
    }
    return found;
  }

  /** Best first; items without a text to search come last, with a score of null. */
  async search(input: SearchInput, caller: Caller): Promise<readonly FoundItem[]> {
    const { query, limit, offset, filter, ...where } = validate(searchInput, input, 'items.search');
    const place = placeOf(where, caller);
    const all = await this.#matching(place, filter);
    const ranked = await searchItems(this.#parts, place, query, all);
    return ranked.slice(offset, offset + limit);
  }

  async namespaces(input: NamespacesInput, caller: Caller): Promise<readonly Namespace[]> {
    const given = validate(namespacesInput, input, 'items.namespaces');
    const { prefix, suffix, maxDepth, limit, offset, ...whose } = given;
    const wild = prefix.indexOf('*');
    const namespace = wild === -1 ? prefix : prefix.slice(0, wild);
    const all = await this.#parts.store.namespaces(placeOf({ namespace, ...whose }, caller));
    const meant = all.filter((each) => hasPrefix(each, prefix) && hasSuffix(each, suffix));
    const cut = meant.map((each) => (maxDepth === undefined ? each : each.slice(0, maxDepth)));
    const once = new Map(cut.map((each) => [JSON.stringify(each), each]));
    return [...once.values()].slice(offset, offset + limit);
  }

  async write(input: WriteInput, caller: Caller): Promise<readonly ItemOutcome[]> {
    const { writes } = validate(writeInput, input, 'items.write');
    const owner = itemOwner(writingOwner(caller));
    if (this.#parts.isReadOnly(owner.agent) || caller.limits?.readOnly === true) {
      throw new KeepsakeError('READ_ONLY', 'Memory is read-only here.', {
        hint: 'Set memory.readOnly to false to write.',
      });
    }
    const drafts = writes.map((write) =>
      write.op === 'put' ? { ...write, texts: write.texts.map((text) => this.#text(text)) } : write,
    );
    return this.#parts.store.write(owner, drafts, this.#parts.clock.now());
  }

  #text(given: string): ItemText {
    const content = given.toWellFormed();
    return { content, words: analyze(content).join(' '), embedding: this.#parts.embedder.now(content) };
  }

  async #matching(place: ItemPlace, filter: Filter | undefined): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this.#pages(place, PAGE)) {
      if (filter === undefined || matchesFilter(item.value, filter)) all.push(item);
    }
    return all;
  }

  async *#pages(
    query: ItemPlace & { newest?: boolean; after?: number | undefined; before?: number | undefined },
    size: number,
  ): AsyncGenerator<Item> {
    const limit = Math.min(size, PAGE);
    let { after, before } = query;
    for (;;) {
      const page = await this.#parts.store.read({ ...query, after, before, limit });
      yield* page;
      if (page.length < limit) return;
      const last = page.at(-1)!.seq;
      if (query.newest === true) before = last;
      else after = last;
    }
  }
}

/** An item without a user has an empty one. */
const itemOwner = ({ agent, user }: ReturnType<typeof ownerOf>): ItemOwner => ({ agent, user: user ?? '' });

/** Whose items a call may see: those of its agent and user. The owner sees all, and may name whose he wants. */
function placeOf({ agent, user, ...where }: ItemPlace, caller: Caller): ItemPlace {
  const { viewer } = caller;
  const isOwner = viewer.role === 'admin' && viewer.agent === undefined && viewer.user === undefined;
  if (isOwner) return { ...where, agent, user };
  const own = itemOwner(ownerOf(caller));
  if ((agent ?? own.agent) !== own.agent || (user ?? own.user) !== own.user) {
    throw new KeepsakeError('FORBIDDEN', 'These items belong to somebody else.', {
      hint: 'Only the owner of the workspace sees the items of every agent and user.',
    });
  }
  return { ...where, ...own };
}
