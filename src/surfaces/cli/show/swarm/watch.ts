/** Shows messages and state changes of an active run as they occur. */
import type { SharedState } from '../../../../client/index.ts';
import { defined } from '../../../../kernel/defined.ts';
import type { Context } from '../../context.ts';
import type { Format, Paint } from '../../terminal/paint.ts';
import { oneLine, printable } from '../../terminal/printable.ts';
import { displayWidth, truncate } from '../../terminal/width.ts';
import { messageText } from '../log/message-lines.ts';
import type { Answer } from '../presentation.ts';

export type BusMessage = Answer<'swarmMessages'>[number];
export type Change = Awaited<ReturnType<SharedState['changes']>>[number];

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

/** Where there is no terminal: long enough to be searched. */
const WIDEST = 160;
const NARROWEST = 12;
const two = (number: number): string => String(number).padStart(2, '0');

/** In the reader's own zone, to the second: a run takes minutes. */
function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

interface Line {
  readonly at: number;
  /** Each with its colour. */
  readonly head: readonly (readonly [colour: Format | undefined, text: string])[];
  readonly text: string;
  readonly tail?: string;
}

/** One line of the terminal, whatever was said. */
function fitted({ at, head, text, tail = '' }: Line, paint: Paint, width: number | undefined): string {
  const used = [clockTime(at), '', ...head.map(([, part]) => part), '', tail].join(' ');
  const room = width === undefined ? WIDEST : Math.max(NARROWEST, width - displayWidth(used));
  const said = truncate(oneLine(printable(text)), room);
  const parts = head.map(([colour, part]) => (colour === undefined ? part : paint(colour, part)));
  const line = `${paint('dim', clockTime(at))}  ${[...parts, said].filter((part) => part !== '').join(' ')}`;
  return tail === '' ? line : `${line} ${paint('dim', tail)}`;
}

export function changeLine(change: Change, paint: Paint, width: number | undefined): string {
  const { at, by, op, path, value, version } = change;
  const place = path === '' ? '(all)' : oneLine(path);
  const head = [['cyan', oneLine(by)] as const, ['yellow', op] as const, [undefined, place] as const];
  const text = value === undefined ? '' : JSON.stringify(value);
  return fitted({ at, head, text, tail: `v${version}` }, paint, width);
}

export function messageLine(message: BusMessage, paint: Paint, width: number | undefined): string {
  const { at, agent, role } = message;
  const text = messageText(message.content as Parameters<typeof messageText>[0]);
  const name = oneLine(agent);
  if (role === agent) return fitted({ at, head: [['magenta', `${name}:`]], text }, paint, width);
  // The answer of a tool says by itself that it came in, and from which tool.
  const from = role === 'Tool' ? [] : [['dim', `← ${oneLine(role)}:`] as const];
  return fitted({ at, head: [['magenta', name], ...from], text }, paint, width);
}

/** Until the run ends, or the command is told to. A run without a state has ended. */
export async function watchRun(run: Watched, { output, closing }: Context, view: WatchView): Promise<void> {
  const { print, paint, after, messages = true, state = true, messagesAfter, agent } = view;
  const line = (kind: string, entry: unknown, text: string): void =>
    print(output.json ? output.jsonLine({ kind, ...(entry as object) }) : text);
  const changes = async (): Promise<void> => {
    for await (const change of run.state.watch({ after, signal: closing }))
      line('change', change, changeLine(change, paint, output.width));
  };
  const said = async (): Promise<void> => {
    const query = {
      signal: closing,
      ...defined({ after: messagesAfter, agent }),
    };
    for await (const message of run.watchMessages(query))
      line('message', message, messageLine(message, paint, output.width));
  };
  await Promise.all([...(state ? [changes()] : []), ...(messages ? [said()] : [])]);
}
