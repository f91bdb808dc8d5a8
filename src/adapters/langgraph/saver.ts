/** A LangGraph checkpointer on Keepsake: parents, forks and pending writes are exact, and a thread can be deleted. */
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import type { Client } from '../../client/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkOptions, OWNER_OPTIONS } from '../common/check-options.ts';
import { clientOf, memoryOf } from '../common/memory-of.ts';
import type { WhichStore } from '../common/options.ts';
import { type Items, newestItems, type StoredItem } from '../common/pages.ts';
import { dump, load, type Serialized } from './serialized.ts';

export interface KeepsakeSaverOptions extends WhichStore {
  /** The agent whose checkpoints they are. Default: "assistant". */
  readonly agent?: string | undefined;
  /** The person to whom all threads of this saver belong. Default: nobody in particular. */
  readonly user?: string | undefined;
  /** Whose thread it is, for a saver that serves many people. Erasing a user then erases his threads. */
  readonly userOf?: ((threadId: string) => string | undefined) | undefined;
  readonly serde?: SerializerProtocol | undefined;
}

interface StoredCheckpoint {
  readonly ns: string;
  readonly checkpoint: Serialized;
  readonly metadata: Serialized;
  readonly parent: string | null;
}

interface StoredWrite {
  readonly task: string;
  readonly channel: string;
  readonly value: Serialized;
}

const CHECKPOINTS = ['langgraph', 'checkpoints'];
const WRITES = ['langgraph', 'writes'];
/** Values of channels, each version once. */
const BLOBS = ['langgraph', 'values'];
const MOST = 1_000;

/** `node:uuid|inner:uuid` → labels; the root has none. */
const labelsOf = (ns: string): string[] => (ns === '' ? [] : ns.split('|').map((part) => `=${part}`));

export class KeepsakeSaver extends BaseCheckpointSaver {
  readonly #options: KeepsakeSaverOptions;
  readonly #client: Client;

  constructor(options: KeepsakeSaverOptions = {}) {
    super(options.serde);
    checkOptions('KeepsakeSaver', options, { ...OWNER_OPTIONS, userOf: true, serde: true });
    this.#options = options;
    this.#client = clientOf(options);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const thread = config.configurable?.thread_id as string | undefined;
    if (thread === undefined) return undefined;
    const ns = (config.configurable?.checkpoint_ns as string | undefined) ?? '';
    const id = getCheckpointId(config);
    const namespace = [...CHECKPOINTS, thread, ...labelsOf(ns)];
    const items = this.#itemsOf(thread);
    const [item] = id
      ? await items.get(namespace, [id])
      : await items.list({ namespace, exact: true, newest: true, limit: 1 });
    return item === undefined ? undefined : this.#tuple(items, thread, item);
  }

  override async *list(
    config: RunnableConfig,
    { before, limit = Number.POSITIVE_INFINITY, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
    const end = before?.configurable?.checkpoint_id as string | undefined;
    let left = limit;
    for (const thread of thread_id === undefined ? await this.#threads() : [thread_id as string]) {
      const items = this.#itemsOf(thread);
      const inner = checkpoint_ns === undefined ? [] : labelsOf(checkpoint_ns as string);
      const place = { namespace: [...CHECKPOINTS, thread, ...inner], exact: checkpoint_ns !== undefined };
      for await (const item of newestItems(items, place)) {
        if (left <= 0) return;
        if (checkpoint_id !== undefined && item.key !== checkpoint_id) continue;
        if (end !== undefined && item.key >= end) continue;
        const tuple = await this.#tuple(items, thread, item);
        const metadata = (tuple.metadata ?? {}) as Record<string, unknown>;
        if (!Object.entries(filter).every(([key, value]) => metadata[key] === value)) continue;
        left--;
        yield tuple;
      }
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const thread = requireId(config, 'thread_id');
    const ns = (config.configurable?.checkpoint_ns as string | undefined) ?? '';
    const { channel_values, ...rest } = copyCheckpoint(checkpoint);
    const value = {
      ns,
      checkpoint: await dump(this.serde, { ...rest, channel_values: {} }),
      metadata: await dump(this.serde, metadata),
      parent: (config.configurable?.checkpoint_id as string | undefined) ?? null,
    };
    const namespace = [...CHECKPOINTS, thread, ...labelsOf(ns)];
    const changed = Object.entries(newVersions).filter(([channel]) => Object.hasOwn(channel_values, channel));
    const place = [...BLOBS, thread, ...labelsOf(ns)];
    const blobs = await Promise.all(
      changed.map(async ([channel, version]) => {
        const name = { namespace: place, key: blobKey(channel, version) };
        return {
          op: 'put',
          ...name,
          value: await dump(this.serde, channel_values[channel]),
          keep: true,
        } as const;
      }),
    );
    await this.#itemsOf(thread).write([...blobs, { op: 'put', namespace, key: checkpoint.id, value }]);
    return configOf(thread, ns, checkpoint.id);
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const thread = requireId(config, 'thread_id');
    const checkpoint = requireId(config, 'checkpoint_id');
    const ns = (config.configurable?.checkpoint_ns as string | undefined) ?? '';
    const namespace = writesPlace(thread, checkpoint, ns);
    const puts = await Promise.all(
      writes.map(async ([channel, value], i) => {
        const index = WRITES_IDX_MAP[channel] ?? i;
        const stored = { task: taskId, channel, value: await dump(this.serde, value) };
        // Regular writes are made once; special ones, such as errors, are replaced.
        return { op: 'put', namespace, key: `${taskId},${index}`, value: stored, keep: index >= 0 } as const;
      }),
    );
    if (puts.length > 0) await this.#itemsOf(thread).write(puts);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#itemsOf(threadId).write([
      { op: 'clear', namespace: [...CHECKPOINTS, threadId] },
      { op: 'clear', namespace: [...WRITES, threadId] },
      { op: 'clear', namespace: [...BLOBS, threadId] },
    ]);
  }

  /** Two forks of a thread make different values of the same channel: their versions must differ, too. */
  override getNextVersion(current: number | undefined): number {
    const [chance] = crypto.getRandomValues(new Uint32Array(1));
    return Math.floor(current ?? 0) + 1 + chance! / 2 ** 32;
  }

  async #tuple(items: Items, thread: string, { key, value }: StoredItem): Promise<CheckpointTuple> {
    const stored = value as unknown as StoredCheckpoint;
    const checkpoint = await load<Checkpoint>(this.serde, stored.checkpoint);
    checkpoint.channel_values = await this.#values(items, thread, stored.ns, checkpoint.channel_versions);
    if (checkpoint.v < 4 && stored.parent !== null) {
      await this.#addPendingSends(checkpoint, await this.#writes(items, thread, stored.ns, stored.parent));
    }
    return {
      config: configOf(thread, stored.ns, key),
      checkpoint,
      metadata: await load<CheckpointMetadata>(this.serde, stored.metadata),
      pendingWrites: await this.#writes(items, thread, stored.ns, key),
      ...(stored.parent === null ? {} : { parentConfig: configOf(thread, stored.ns, stored.parent) }),
    };
  }

  /** The value of each channel at its version; a channel without one is empty. */
  async #values(items: Items, thread: string, ns: string, versions: ChannelVersions) {
    const names = new Map(
      Object.entries(versions).map(([channel, version]) => [blobKey(channel, version), channel]),
    );
    const keys = [...names.keys()];
    const values: Record<string, unknown> = {};
    for (let from = 0; from < keys.length; from += MOST) {
      const place = [...BLOBS, thread, ...labelsOf(ns)];
      for (const { key, value } of await items.get(place, keys.slice(from, from + MOST))) {
        values[names.get(key)!] = await load(this.serde, value as unknown as Serialized);
      }
    }
    return values;
  }

  /** Checkpoints of older formats have what was sent beside them, with their parent. */
  async #addPendingSends(checkpoint: Checkpoint, writes: readonly CheckpointPendingWrite[]): Promise<void> {
    const sends = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    checkpoint.channel_values = { ...checkpoint.channel_values, [TASKS]: sends };
    const versions = Object.values(checkpoint.channel_versions ?? {});
    const version = versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    checkpoint.channel_versions = { ...checkpoint.channel_versions, [TASKS]: version };
  }

  async #writes(items: Items, thread: string, ns: string, id: string): Promise<CheckpointPendingWrite[]> {
    const place = { namespace: writesPlace(thread, id, ns), exact: true, limit: MOST };
    const writes: CheckpointPendingWrite[] = [];
    for (let after = 0; ; ) {
      const page = await items.list({ ...place, after });
      for (const { value } of page) {
        const { task, channel, value: stored } = value as unknown as StoredWrite;
        writes.push([task, channel, await load(this.serde, stored)]);
      }
      if (page.length < MOST) return writes;
      after = page.at(-1)!.seq;
    }
  }

  /** The threads of this saver; with `userOf`, those of every user. */
  async #threads(): Promise<readonly string[]> {
    const { userOf, agent = 'assistant' } = this.#options;
    const items = userOf === undefined ? this.#itemsOf('') : this.#client.items;
    const whose = userOf === undefined ? {} : { agent };
    const found = new Set<string>();
    for (let offset = 0; ; offset += MOST) {
      const page = await items.namespaces({
        ...whose,
        prefix: CHECKPOINTS,
        maxDepth: 3,
        limit: MOST,
        offset,
      });
      for (const namespace of page) found.add(namespace[CHECKPOINTS.length]!);
      if (page.length < MOST) return [...found];
    }
  }

  #itemsOf(thread: string): Items {
    const { user, userOf } = this.#options;
    const whose = userOf === undefined ? user : userOf(thread);
    return memoryOf({ ...this.#options, client: this.#client, user: whose }).items;
  }
}

const writesPlace = (thread: string, checkpoint: string, ns: string): string[] => [
  ...[...WRITES, thread, checkpoint],
  ...labelsOf(ns),
];

const blobKey = (channel: string, version: string | number): string => JSON.stringify([channel, version]);

const configOf = (thread: string, ns: string, id: string): RunnableConfig => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
});

function requireId(config: RunnableConfig, name: 'thread_id' | 'checkpoint_id'): string {
  const id: unknown = config.configurable?.[name];
  if (typeof id === 'string' && id !== '') return id;
  throw new KeepsakeError('INVALID_INPUT', `The configuration has no ${name}.`, {
    hint: 'Call the graph with { configurable: { thread_id: "…" } }.',
  });
}
