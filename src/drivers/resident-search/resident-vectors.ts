/** The vectors of all records in memory: codes for the scan, and the exact numbers for the best. */
import { CodeMemory } from '../search-kernels/vectors/code-memory.ts';
import { cosine } from '../search-kernels/vectors/dot.ts';
import type { Hit } from '../search-kernels/vectors/hits.ts';
import { Partition } from '../search-kernels/vectors/partition.ts';
import { scanPartitions } from '../search-kernels/vectors/scan-partitions.ts';

/** A vector and who may see it. */
export interface PlacedVector {
  readonly model: string;
  readonly partition: string;
  readonly vector: Float32Array;
}

interface Group {
  readonly partition: Partition;
  /** By row number of the record. */
  readonly positions: Map<number, number>;
}

interface OfModel {
  readonly memory: CodeMemory;
  readonly groups: Map<string, Group>;
}

export interface Near {
  readonly model: string;
  /** Of unit length. */
  readonly query: Float32Array;
  /** Undefined: all. */
  readonly partitions: readonly string[] | undefined;
  readonly allows: (rid: number) => boolean;
  readonly passing: () => readonly number[];
  readonly limit: number;
}

export class ResidentVectors {
  readonly #models = new Map<string, OfModel>();
  readonly #vectors = new Map<number, PlacedVector>();

  put(rid: number, placed: PlacedVector | undefined): void {
    const before = this.#vectors.get(rid);
    if (before !== undefined && placed !== undefined && isSame(before, placed)) return;
    if (before !== undefined) this.#remove(rid, before);
    if (placed === undefined) return;
    const { partition, positions } = this.#group(placed);
    positions.set(rid, partition.count);
    partition.add(0, rid, placed.vector);
    this.#vectors.set(rid, placed);
  }

  /** The exact cosine with a record; undefined when it has no vector of this model. */
  similarity(rid: number, model: string, query: Float32Array): number | undefined {
    const placed = this.#vectors.get(rid);
    if (placed === undefined || placed.model !== model || placed.vector.length !== query.length)
      return undefined;
    return cosine(query, placed.vector);
  }

  nearest({ model, query, partitions, allows, passing, limit }: Near): Hit[] {
    const ofModel = this.#models.get(model);
    if (ofModel === undefined) return [];
    const { memory, groups } = ofModel;
    const wanted = (partitions ?? [...groups.keys()]).flatMap((name) => groups.get(name)?.partition ?? []);
    return scanPartitions({
      partitions: wanted,
      memory,
      query,
      rescore: ({ partition, position }) => this.similarity(partition.ridAt(position), model, query),
      allows,
      passing,
      limit,
    });
  }

  #group({ model, partition: name, vector }: PlacedVector): Group {
    let ofModel = this.#models.get(model);
    if (ofModel === undefined) {
      ofModel = { memory: new CodeMemory(vector.length), groups: new Map() };
      this.#models.set(model, ofModel);
    }
    let group = ofModel.groups.get(name);
    if (group === undefined) {
      group = { partition: new Partition(ofModel.memory), positions: new Map() };
      ofModel.groups.set(name, group);
    }
    return group;
  }

  #remove(rid: number, { model, partition: name, vector }: PlacedVector): void {
    const { partition, positions } = this.#models.get(model)!.groups.get(name)!;
    const position = positions.get(rid)!;
    partition.remove(position);
    positions.delete(rid);
    // The last row has moved there.
    if (position < partition.count) positions.set(partition.ridAt(position), position);
    vector.fill(0);
    this.#vectors.delete(rid);
  }
}

function isSame(a: PlacedVector, b: PlacedVector): boolean {
  if (a.model !== b.model || a.partition !== b.partition) return false;
  return a.vector.every((number, i) => number === b.vector[i]);
}
