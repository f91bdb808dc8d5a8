/** A run while it goes on: every message and every change of its working memory, in lines as they come. */
import type { SharedState } from '../../../client/index.ts';
import type { Context } from '../context.ts';
import type { Paint } from '../terminal/paint.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { truncate } from '../terminal/width.ts';
import { type BusMessage, messageWords } from './show.ts';

type Change = Awaited<ReturnType<SharedState['changes']>>[number];

export interface Watched {
  readonly state: SharedState;
  watchMessages(query: { after?: number; agent?: string; signal?: AbortSignal }): AsyncIterable<BusMessage>;
}

export interface WatchView {
  readonly print: (line: string) => void;
  readonly paint: Paint;
  /** The version after which changes are shown. */
  readonly after: number;
  readonly messages?: boolean;
  readonly state?: boolean;
  /** Only what was said after this, and in this conversation. */
  readonly messagesAfter?: number | undefined;
  readonly agent?: string | undefined;
}

const WIDEST = 160;
const two = (number: number): string => String(number).padStart(2, '0');

/** In the reader's own zone, to the second: a run takes minutes. */
function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function changeLine({ at, by, op, path, value, version }: Change, paint: Paint): string {
  const what = value === undefined ? '' : ` ${truncate(oneLine(JSON.stringify(value)), WIDEST)}`;
  const place = path === '' ? '(all)' : oneLine(path);
  return `${paint('dim', clockTime(at))}  ${paint('cyan', oneLine(by))} ${paint('yellow', op)} ${place}${what} ${paint('dim', `v${version}`)}`;
}

export function messageLine(message: BusMessage, paint: Paint): string {
  const { at, agent, role } = message;
  const who =
    role === agent
      ? paint('magenta', oneLine(agent))
      : `${paint('magenta', oneLine(agent))} ${paint('dim', `← ${oneLine(role)}`)}`;
  return `${paint('dim', clockTime(at))}  ${who}: ${truncate(oneLine(printable(messageWords(message))), WIDEST)}`;
}

/** Until the run ends, or the command is told to. A run without a state has ended. */
export async function watchRun(run: Watched, { output, closing }: Context, view: WatchView): Promise<void> {
  const { print, paint, after, messages = true, state = true, messagesAfter, agent } = view;
  const line = (kind: string, entry: unknown, text: string): void =>
    print(output.json ? JSON.stringify({ kind, ...(entry as object) }) : text);
  const changes = async (): Promise<void> => {
    for await (const change of run.state.watch({ after, signal: closing }))
      line('change', change, changeLine(change, paint));
  };
  const said = async (): Promise<void> => {
    const query = {
      signal: closing,
      ...(messagesAfter === undefined ? {} : { after: messagesAfter }),
      ...(agent === undefined ? {} : { agent }),
    };
    for await (const message of run.watchMessages(query))
      line('message', message, messageLine(message, paint));
  };
  await Promise.all([...(state ? [changes()] : []), ...(messages ? [said()] : [])]);
}
