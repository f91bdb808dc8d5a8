/** What this process has in memory of the vectors, and how it keeps up with what all processes write. */
import type { Database } from 'better-sqlite3';
import { CodeMemory } from './code-memory.ts';
import { LEAST_AT_END, type Packs, type VectorGroup } from './packs.ts';
import { Partition } from './partition.ts';
import { Question } from './question.ts';
import type { ScoreRanking } from './score-ranking.ts';
import { SHARED_SILO, type VectorRows } from './vector-rows.ts';

/** While a workspace moves to another model, both are in use; a third one is not. */
const MAX_MODELS = 2;
/** Rows that others deleted are noticed only when a search meets them; after so many new ones they are counted. */
const COUNT_AFTER = 1_024;
const MOST_GONE = 1 / 4;

interface Resident extends VectorGroup {
  readonly partition: Partition;
  last: number;
  /** The state of the database that it was last compared with. */
  seen: number;
  addedSinceCount: number;
}

interface ResidentModel {
  readonly memory: CodeMemory;
  readonly silos: Map<string, Resident>;
}

export interface Scores {
  readonly question: Question;
  readonly ranking: ScoreRanking;
}

export class ResidentVectors {
  readonly #rows: VectorRows;
  readonly #packs: Packs;
  readonly #onUnpacked: (group: VectorGroup) => void;
  readonly #models = new Map<number, ResidentModel>();
  readonly #dataVersion;
  readonly #restored;
  readonly #newestEvent;
  readonly #agents;
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
    this.#agents = database.prepare('SELECT name FROM agents').pluck();
    this.#count = database
      .prepare('SELECT count(*) FROM record_vectors WHERE model = ? AND silo = ?')
      .pluck();
  }

  /** The rows of these silos as they are now; deleted ones may still be among them. */
  upToDate(model: number, dimensions: number, silos: readonly string[] | undefined): Partition[] {
    this.#notice();
    const { memory, silos: resident } = this.#model(model, dimensions);
    const wanted = silos ?? [...(this.#agents.all() as string[]), SHARED_SILO];
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

  /** What the cosines of all rows are at most, one partition after the other. */
  score(model: number, partitions: readonly Partition[], query: Float32Array): Scores {
    const question = new Question(this.#models.get(model)!.memory, query);
    const ranking = question.ranking();
    for (const partition of partitions) partition.score(question, ranking);
    return { question, ranking };
  }

  /** Counts the states of the database, as far as they can differ for us. */
  #notice(): void {
    const mark = `${this.#dataVersion.get()} ${this.#rows.writes}`;
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#state++;
    // A restore brings back rows with numbers that were seen before.
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
