/** What the writers said about each record: which states it may be in after a kill, and which it must be in. */

/** Said before the call. `from` and `fromHash` tell which version the writer saw; an add has none. */
export interface Tried {
  readonly type: 'tried';
  readonly op: 'add' | 'update' | 'undo' | 'forget';
  readonly call: number;
  readonly label: string;
  /** Hash of the content that the record will have; of the empty text when it is forgotten. */
  readonly hash: string;
  readonly id?: string;
  readonly from?: number;
  readonly fromHash?: string;
}

/** Said after the promise resolved: from here on the write must never be lost. */
export interface Done {
  readonly type: 'done';
  readonly call: number;
  readonly id: string;
  readonly version: number;
  readonly hash: string;
}

/** A stored event that the writer heard of. */
export interface Heard {
  readonly type: 'heard';
  readonly seq: number;
  readonly event: string;
}

export interface RecordHistory {
  readonly id: string;
  /** Hash of the content by version; the last one is the present. */
  readonly hashes: string[];
  readonly labels: string[];
  forgotten: boolean;
  /** The call that was under way when its writer died: it happened as a whole, or not at all. */
  open: Tried | undefined;
}

export class Ledger {
  readonly records = new Map<string, RecordHistory>();
  /** Adds without an answer, by hash of the content. */
  readonly openAdds = new Map<string, Tried>();
  readonly events = new Map<number, string>();
  readonly violations: string[] = [];
  acknowledged = 0;

  /** Calls of one life of a writer; the next life counts from the start. */
  startLife(): { tried(message: Tried): void; done(message: Done): void; heard(message: Heard): void } {
    const calls = new Map<number, Tried>();
    return {
      tried: (message) => {
        calls.set(message.call, message);
        this.#open(message);
      },
      done: (message) => {
        const tried = calls.get(message.call);
        if (tried === undefined) throw new Error(`An answer to no call: ${JSON.stringify(message)}`);
        calls.delete(message.call);
        this.#close(tried, message);
      },
      heard: ({ seq, event }) => {
        if (this.events.has(seq)) this.violations.push(`Two events have the number ${seq}.`);
        this.events.set(seq, event);
      },
    };
  }

  #open(tried: Tried): void {
    if (tried.op === 'add') {
      this.openAdds.set(tried.hash, tried);
      return;
    }
    const record = this.records.get(tried.id!) ?? this.adopt(tried.id!, tried.fromHash!);
    if (record === undefined) return;
    this.settle(record, { version: tried.from!, hash: tried.fromHash!, forgotten: false });
    record.open = tried;
  }

  #close(tried: Tried, { id, version, hash }: Done): void {
    this.acknowledged++;
    if (hash !== tried.hash) this.violations.push(`${id} was acknowledged with another content.`);
    if (tried.op === 'add') {
      this.openAdds.delete(tried.hash);
      if (version !== 1) this.violations.push(`${id} is new and has version ${version}.`);
      this.records.set(id, {
        id,
        hashes: [hash],
        labels: [tried.label],
        forgotten: false,
        open: undefined,
      });
      return;
    }
    const record = this.records.get(id);
    if (record?.open !== tried) {
      this.violations.push(`${id} was acknowledged out of turn.`);
      return;
    }
    this.#apply(record, tried);
    if (tried.op !== 'forget' && version !== record.hashes.length) {
      this.violations.push(`${id} was acknowledged as version ${version}, not ${record.hashes.length}.`);
    }
  }

  /** A record that nobody acknowledged may exist if somebody tried to add it, with exactly that content. */
  adopt(id: string, hash: string): RecordHistory | undefined {
    const tried = this.openAdds.get(hash);
    if (tried === undefined) {
      this.violations.push(`${id} has a content that nobody wrote.`);
      return undefined;
    }
    this.openAdds.delete(hash);
    const record = { id, hashes: [hash], labels: [tried.label], forgotten: false, open: undefined };
    this.records.set(id, record);
    return record;
  }

  /** Decides by what was found whether the call under way happened. */
  settle(record: RecordHistory, found: { version: number; hash: string; forgotten: boolean }): void {
    const fits = (): boolean =>
      found.forgotten === record.forgotten &&
      found.version === record.hashes.length &&
      (record.forgotten || found.hash === record.hashes.at(-1));
    const { open } = record;
    record.open = undefined;
    if (fits()) return;
    if (open !== undefined) this.#apply(record, open);
    if (open !== undefined && fits()) return;
    this.violations.push(
      `${record.id} should be ${describe(record)}${open === undefined ? '' : ` or before its last ${open.op}`}, ` +
        `but is version ${found.version}${found.forgotten ? ', forgotten' : ''} with ${found.hash.slice(0, 12)}.`,
    );
  }

  #apply(record: RecordHistory, tried: Tried): void {
    record.open = undefined;
    if (tried.op === 'forget') {
      record.forgotten = true;
      return;
    }
    record.hashes.push(tried.hash);
    record.labels.push(tried.label);
  }
}

function describe({ hashes, forgotten }: RecordHistory): string {
  return `version ${hashes.length}${forgotten ? ', forgotten' : ` with ${hashes.at(-1)!.slice(0, 12)}`}`;
}

/** What an event says about a record, to be compared with what is stored under the same number. */
export function identityOf(event: { type: string; id?: string; version?: number }): string {
  return [event.type, event.id, event.version].filter((part) => part !== undefined).join(' ');
}
