/** A writer that is made to be killed: adds, changes, undoes and forgets without pause, and says so before and after. */
import { createClient } from '../../../../src/index.ts';
import { type Chance, createChance } from '../chance.ts';
import { type Done, type Heard, identityOf, type Tried } from '../ledger.ts';
import { failureOf, report } from '../report.ts';
import { hashOf, labelOf, makeText } from '../texts.ts';

export interface CrashWriterOptions {
  readonly workspace: string;
  readonly agent: string;
  readonly seed: number;
  /** Unique over all lives of all writers; labels begin with it. */
  readonly life: string;
  readonly lanes: number;
  readonly maxEntries: number;
  /** Closes the client after this many acknowledgements; never if absent. */
  readonly closeAfter?: number;
}

export type CrashWriterMessage =
  | Tried
  | Done
  | Heard
  | { readonly type: 'opened' }
  | { readonly type: 'closing' }
  | { readonly type: 'closed' }
  | ({ readonly type: 'failed' } & ReturnType<typeof failureOf>);

interface Known {
  readonly id: string;
  version: number;
  readonly texts: string[];
}

/** The proof is about what is kept, not about when: a starved machine must not end it. processes.test.ts has the default. */
const PATIENCE_MS = 120_000;

const say = (message: CrashWriterMessage): void => report(message);

export async function run(options: CrashWriterOptions): Promise<void> {
  try {
    await write(options);
  } catch (error) {
    say({ type: 'failed', ...failureOf(error) });
    process.exitCode = 1;
  }
}

async function write(options: CrashWriterOptions): Promise<void> {
  const { workspace, agent, seed, life, lanes, maxEntries, closeAfter = Number.POSITIVE_INFINITY } = options;
  const chance = createChance(seed);
  const client = createClient({
    workspace,
    config: { memory: { maxEntries }, storage: { sqlite: { busyTimeoutMs: PATIENCE_MS } } },
  });
  const { memory } = client.agent({ name: agent });
  client.events.subscribe((event) => say({ type: 'heard', seq: event.seq, event: identityOf(event) }));
  await client.open();
  say({ type: 'opened' });

  // What earlier lives left behind is worked on as well: a record must be sound after a recovery, not only readable.
  const idle: Known[] = (await memory.list({ limit: 20 })).map(({ id, version, content }) => ({
    id,
    version,
    texts: [content],
  }));
  let calls = 0;
  let acknowledged = 0;

  const step = async (): Promise<void> => {
    const call = calls++;
    const op = chooseOperation(chance, idle);
    if (op === 'add') {
      const text = makeText(`${life}n${call}`, chance);
      say({ type: 'tried', op, call, label: labelOf(text), hash: hashOf(text) });
      const { id, version, content } = await memory.add({ content: text });
      say({ type: 'done', call, id, version, hash: hashOf(content) });
      idle.push({ id, version, texts: [text] });
      return;
    }
    const [known] = idle.splice(chance.between(0, idle.length - 1), 1) as [Known];
    const { id, version, texts } = known;
    // An undo needs the text of the version before; an adopted record's is not known.
    const before = texts.at(-2);
    const undo = op === 'undo' && before !== undefined;
    const text = op === 'forget' ? '' : undo ? before : makeText(`${life}n${call}`, chance);
    say({
      type: 'tried',
      op: op === 'undo' && !undo ? 'update' : op,
      call,
      id,
      from: version,
      fromHash: hashOf(texts.at(-1)!),
      label: labelOf(text),
      hash: hashOf(text),
    });
    if (op === 'forget') {
      await memory.forget(id);
      say({ type: 'done', call, id, version, hash: hashOf('') });
      return;
    }
    const result = undo
      ? await memory.undo(id, { ifVersion: version })
      : await memory.update(id, { content: text, ifVersion: version });
    say({ type: 'done', call, id, version: result.version, hash: hashOf(result.content) });
    known.version = result.version;
    texts.push(text);
    idle.push(known);
  };

  const lane = async (): Promise<void> => {
    while (acknowledged < closeAfter) {
      await step();
      acknowledged++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  say({ type: 'closing' });
  await client.close();
  say({ type: 'closed' });
}

function chooseOperation(chance: Chance, idle: readonly Known[]): Tried['op'] {
  const drawn = chance.next();
  if (idle.length === 0 || drawn < 0.6) return 'add';
  if (drawn < 0.8) return 'update';
  return drawn < 0.9 ? 'undo' : 'forget';
}
