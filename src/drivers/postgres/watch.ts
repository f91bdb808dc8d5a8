/** Checks queries without a response: whether the server is unreachable, the connection lost, or the query slow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { APPLICATION, type Client, type Settings } from './client.ts';
import { isAnswer } from './errors.ts';

/** A question without an answer for so long makes us ask whether the server still works on it … */
const LOOK_MS = 700;
/** … how long that may take … */
const PROBE_MS = 700;
/** … and when to look again before a connection is given up: its answer may have been under way. */
const AGAIN_MS = 100;

/** What the server says about itself: whether it answers, and which of our connections it works for, if it tells. */
interface Look {
  readonly isAlive: boolean;
  readonly working?: ReadonlySet<number>;
}

/** Connection → its number on the server. */
const numbers = new WeakMap<object, number>();

/** The first thing that is said. The number is asked for: a pooler between us and the server gives connections numbers of its own. */
export async function greet(client: Client, settings: Settings): Promise<void> {
  const text = `SELECT pg_backend_pid() AS number, set_config(name, value, FALSE)
    FROM unnest($1::text[], $2::text[]) AS settings (name, value)`;
  const values = [Object.keys(settings), Object.values(settings).map(String)];
  const { rows } = await client.query({ text, values });
  numbers.set(client, (rows[0] as { number: number }).number);
}

export class Watcher {
  readonly #newClient: (settings: object) => Client;
  #look: Promise<Look> | undefined;

  constructor(newClient: (settings: object) => Client) {
    this.#newClient = newClient;
  }

  /** From a question until its answer. A connection that nobody answers on is cut, and the question ends with an error. */
  readonly watch = (client: Client): (() => void) => {
    let isOver = false;
    let idle = 0;
    const look = async (): Promise<void> => {
      const { isAlive, working } = await this.#shared();
      if (isOver) return;
      const number = numbers.get(client);
      const isWorking = working === undefined || number === undefined || working.has(number);
      idle = isWorking ? 0 : idle + 1;
      if (isAlive && idle > 1) void this.#end(number!);
      if (!isAlive || idle > 1) client.connection.stream.destroy();
      else timer = setTimeout(look, isWorking ? LOOK_MS : AGAIN_MS).unref();
    };
    let timer = setTimeout(look, LOOK_MS).unref();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  };

  /** All who want to know share one question. */
  #shared(): Promise<Look> {
    this.#look ??= this.#ask().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  #ask(): Promise<Look> {
    return this.#apart(askWho, (error) => ({ isAlive: isAnswer(error) }));
  }

  /** The server does not know that nobody is there any more, and would keep for us what others wait for. */
  #end(number: number): Promise<unknown> {
    // Never one that has been given the same number since.
    const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1
      AND usename = current_user AND application_name = '${APPLICATION}' AND state <> 'active'`;
    return this.#apart(
      (client) => client.query({ text, values: [number] }),
      () => undefined,
    );
  }

  /** One question on a connection of its own, with an answer in any case. */
  async #apart<T>(ask: (client: Client) => Promise<T>, without: (error: unknown) => T): Promise<T> {
    const client = this.#newClient({ connectionTimeoutMillis: PROBE_MS });
    client.on('error', () => {});
    const late = sleep(PROBE_MS, undefined, { ref: false }).then(() => without(new Error('no answer')));
    const answered = client.connect().then(() => ask(client));
    const answer = await Promise.race([answered.catch(without), late]);
    client.connection.stream.destroy();
    return answer;
  }
}

async function askWho(client: Client): Promise<Look> {
  // A server that keeps no such account says "disabled".
  const text =
    "SELECT pid FROM pg_stat_activity WHERE state IN ('active', 'fastpath function call', 'disabled')";
  const { rows } = await client.query({ text });
  return { isAlive: true, working: new Set((rows as { pid: number }[]).map(({ pid }) => pid)) };
}
