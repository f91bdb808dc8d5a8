/** A borrowed connection, with a timeout for servers that no longer respond. */
import type { Client } from './client.ts';
import { type Sql, textOf } from './sql.ts';
import { encodeValue } from './text-values.ts';

/** Text of a statement → the name under which servers keep its plan. There are few: lists are bound as arrays. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `keepsake_${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** Begins to watch over a question; the answer ends it. */
export type Watch = (client: Client) => () => void;

export interface SessionOptions {
  /** For statements that come again and again and whose best plan is always the same. */
  readonly keepsPlans?: boolean;
}

export class Session {
  readonly #client: Client;
  readonly #watch: Watch;
  readonly #keepsPlans: boolean;
  #askedAt = performance.now();

  constructor(client: Client, watch: Watch, { keepsPlans = false }: SessionOptions = {}) {
    this.#client = client;
    this.#watch = watch;
    this.#keepsPlans = keepsPlans;
  }

  /** Since the last question was sent, in milliseconds. */
  get waited(): number {
    return performance.now() - this.#askedAt;
  }

  async rows<Row>(query: Sql): Promise<Row[]> {
    return (await this.#ask(query)).rows as Row[];
  }

  async row<Row>(query: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(query))[0];
  }

  /** Says how many rows it touched. */
  async run(query: Sql): Promise<number> {
    return (await this.#ask(query)).rowCount ?? 0;
  }

  /** Statements without values, several if need be; resolves to the kind of the last one that was done. */
  async command(text: string): Promise<string> {
    const stop = this.#begin();
    try {
      return (await this.#client.query({ text })).command;
    } finally {
      stop();
    }
  }

  async #ask(query: Sql) {
    const text = textOf(query);
    const values = query.values.map(encodeValue);
    const stop = this.#begin();
    try {
      return await this.#client.query(
        this.#keepsPlans ? { text, values, name: nameOf(text) } : { text, values },
      );
    } finally {
      stop();
    }
  }

  #begin(): () => void {
    this.#askedAt = performance.now();
    return this.#watch(this.#client);
  }
}
