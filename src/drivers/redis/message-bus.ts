/** The message bus in Redis: one stream for each run. */
import { DAY } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { BusDraft, BusMessage, BusQuery, MessageBus } from '../../ports/message-bus.ts';
import type { RedisConnection } from './connection.ts';
import type { RedisKeys } from './keys.ts';
import { END, PUBLISH } from './scripts.ts';
import { type Entry, followStream, readStream } from './streams.ts';

const PAGE = 500;
/** What was said can be read for so long after the run; the log has it for longer. */
const KEPT_MS = 7 * DAY;

export class RedisMessageBus implements MessageBus {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;

  constructor(connection: RedisConnection, keys: RedisKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  #keysOf(run: string): [messages: string, count: string, ids: string] {
    const messages = this.#keys.of(run, 'messages');
    return [messages, `${messages}:count`, `${messages}:ids`];
  }

  async publish({ id, run, agent, role, content, at, passing, leaseUntil }: BusDraft): Promise<number> {
    const fields = {
      agent,
      role,
      at: String(at),
      content: JSON.stringify(content),
      passing: passing ? '1' : '0',
    };
    const seq = await this.#connection.run(PUBLISH, this.#keysOf(run), [
      String(leaseUntil - at),
      id,
      ...Object.entries(fields).flat(),
    ]);
    // Whoever got no answer and says it again has said it once.
    if (Number(seq) === 0) {
      throw new KeepsakeError('CONFLICT', `Run ${run} already has a message with id ${id}.`, {
        hint: 'Use another id for a new message.',
      });
    }
    return Number(seq);
  }

  async read({ run, after = 0, agent, limit }: BusQuery): Promise<readonly BusMessage[]> {
    const found: BusMessage[] = [];
    const call = this.#connection.call();
    for (let from = after; found.length < limit; ) {
      const page = await readStream(call, this.#keysOf(run)[0], from, PAGE);
      for (const entry of page) {
        if (isEnd(entry) || (agent !== undefined && entry.fields.agent !== agent)) continue;
        if (found.push(toMessage(run, entry)) === limit) break;
      }
      if (page.length < PAGE) break;
      from = page.at(-1)!.seq;
    }
    return found;
  }

  async *watch(query: Omit<BusQuery, 'limit'> & { signal?: AbortSignal | undefined }) {
    const { run, after = 0, agent, signal } = query;
    const never = async () => false;
    for await (const entry of followStream(
      this.#connection,
      this.#keysOf(run)[0],
      { after, signal },
      never,
    )) {
      if (isEnd(entry)) return;
      if (agent === undefined || entry.fields.agent === agent) yield toMessage(run, entry);
    }
  }

  async end(run: string): Promise<void> {
    await this.#connection.run(END, this.#keysOf(run), [String(KEPT_MS)]);
  }

  async remove(run: string): Promise<void> {
    await this.#connection.command('DEL', ...this.#keysOf(run));
  }
}

/** The end of a run is an entry of its own, which nobody said. */
const isEnd = ({ fields }: Entry): boolean => fields.end !== undefined;

function toMessage(run: string, { seq, fields }: Entry): BusMessage {
  const { id = '', agent = '', role = '', content = 'null', at } = fields;
  return { seq, id, run, agent, role, content: JSON.parse(content) as JsonValue, at: Number(at) };
}
