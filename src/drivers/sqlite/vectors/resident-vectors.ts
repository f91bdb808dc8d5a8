/** Keeps quantized vectors in memory, and updates them with what all processes write. */

import type { Database } from 'better-sqlite3';
import { SHARED_PARTITION, userPartition } from '../../common/partitions.ts';
import { CodeMemory } from '../../search-kernels/vectors/code-memory.ts';
import { Partition } from '../../search-kernels/vectors/partition.ts';
import { LEAST_AT_END, type Packs, type VectorGroup } from './packs.ts';
import type { VectorRows } from './vector-rows.ts';

/** While a workspace moves to another model, two are in use; never a third. */
const MAX_MODELS = 2;
/** Rows that other processes deleted are noticed only when a search reaches them; after so many new rows they are counted. */
const COUNT_AFTER = 1_024;
const MOST_GONE = 1 / 4;

interface Resident extends VectorGroup {
  readonly partition: Partition;
  last: number;
  /** The state of the database at the last update. */
  seen: number;
  addedSinceCount: number;
}

interface ResidentModel {
  readonly memory: CodeMemory;
  readonly silos: Map<string, Resident>;
}

export class ResidentVectors {
  readonly #rows: VectorRows;
  readonly #packs: Packs;
  readonly #onUnpacked: (group: VectorGroup) => void;
  readonly #models = new Map<number, ResidentModel>();
  readonly #dataVersion;
  readonly #restored;
  readonly #newestEvent;
  readonly #owners;
  readonly #count;
  #mark = '';
  #state = 0;
  #lastEvent = 0;

  constructor(database: Database, rows: VectorRows, packs: Packs, onUnpacked: (group: VectorGroup) => void) {
    this.#rows = rows;
    this.#packs = packs;
    this.#onUnpacked = onUnpacked;
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#restored = database.prepare("SELECT 1 FROM events WHERE seq > ? AND type = 'storage.restored'");
    this.#newestEvent = database.prepare('SELECT max(seq) FROM events').pluck();
    this.#owners = database
      .prepare(`SELECT name FROM agents UNION SELECT '${userPartition('')}' || user_id FROM agent_users`)
      .pluck();
    this.#count = database
      .prepare('SELECT count(*) FROM record_vectors WHERE model = ? AND silo = ?')
      .pluck();
  }

  /** The partitions of these silos, updated; rows that others deleted may still be among them. */
  upToDate(model: number, dimensions: number, silos: readonly string[] | undefined): Partition[] {
    this.#notice();
    const { memory, silos: resident } = this.#model(model, dimensions);
    const wanted = silos ?? [...(this.#owners.all() as string[]), SHARED_PARTITION];
    return wanted.map((silo) => {
      let each = resident.get(silo);
      if (each === undefined) {
        const partition = new Partition(memory);
        each = { model, silo, dimensions, partition, last: 0, seen: -1, addedSinceCount: 0 };
        resident.set(silo, each);
      }
      if (each.seen !== this.#state) this.#refresh(each);
      return each.partition;
    });
  }

  /** Where the codes of a model are that was brought up to date. */
  memoryOf(model: number): CodeMemory {
    return this.#models.get(model)!.memory;
  }

  /** Notices when the database has changed since the last call. */
  #notice(): void {
    const mark = `${this.#dataVersion.get()} ${this.#rows.writes}`;
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#state++;
    // A restore brings back rows under numbers that were used before.
    if (this.#models.size > 0 && this.#restored.get(this.#lastEvent) !== undefined) this.#models.clear();
    this.#lastEvent = (this.#newestEvent.get() as number | null) ?? 0;
  }

  #model(key: number, dimensions: number): ResidentModel {
    let model = this.#models.get(key);
    if (model === undefined) {
      if (this.#models.size >= MAX_MODELS) this.#models.delete(this.#models.keys().next().value!);
      model = { memory: new CodeMemory(dimensions), silos: new Map() };
      this.#models.set(key, model);
    }
    return model;
  }

  #refresh(resident: Resident): void {
    this.#load(resident);
    if (resident.addedSinceCount > Math.max(COUNT_AFTER, resident.partition.count / 2)) {
      resident.addedSinceCount = 0;
      const count = this.#count.get(resident.model, resident.silo) as number;
      if (count < resident.partition.count * (1 - MOST_GONE)) {
        resident.partition.clear();
        resident.last = 0;
        this.#load(resident);
      }
    }
    resident.seen = this.#state;
  }

  #load(resident: Resident): void {
    const { partition } = resident;
    let unpacked = 0;
    for (const reading of this.#packs.read(resident, resident.last)) {
      if ('pack' in reading) {
        partition.expect(reading.ahead);
        partition.addPacked(reading.pack, reading.gaps);
        resident.last = reading.pack.seqs.at(-1) ?? resident.last;
      } else {
        for (const { seq, rid, vector } of reading.rows) {
          partition.add(seq, rid, vector);
          resident.last = seq;
        }
        unpacked += reading.rows.length;
      }
    }
    resident.addedSinceCount += unpacked;
    if (unpacked >= LEAST_AT_END) this.#onUnpacked(resident);
  }
}
