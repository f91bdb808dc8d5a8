/** The log of a server: one line per event, readable or as JSON. It names keys, routes and agents, never contents or secrets. */
import type { Engine } from '../../../client/index.ts';
import type { Clock } from '../../../kernel/clock.ts';

type Settings = Engine['config']['server']['log'];
export type LogFormat = Settings['format'];
export type LogLevel = Settings['level'];

export const LOG_FORMATS: readonly LogFormat[] = ['text', 'json'];
/** From everything to nothing. */
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ServerLogOptions {
  readonly format: LogFormat;
  /** Entries below it are not written. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Gets one whole line. */
  readonly write: (line: string) => void;
}

export class ServerLog {
  readonly #options: ServerLogOptions;

  constructor(options: ServerLogOptions) {
    this.#options = options;
  }

  /** Whether an entry of this level would be written; saves making one that would not. */
  takes(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(this.#options.level) && level !== 'off';
  }

  add(level: Exclude<LogLevel, 'off'>, event: string, fields: LogFields = {}): void {
    if (!this.takes(level)) return;
    const time = new Date(this.#options.clock.now()).toISOString();
    const line =
      this.#options.format === 'json'
        ? JSON.stringify({ time, level, event, ...fields })
        : [
            `${time} ${level.padEnd(5)} ${event}`,
            ...Object.entries(fields).flatMap(([name, value]) =>
              value === undefined ? [] : [`${name}=${plain(value)}`],
            ),
          ].join(' ');
    this.#options.write(`${line}\n`);
  }
}

/** Nothing that a caller chose can begin a line of its own or another field. */
function plain(value: string | number | boolean): string {
  return typeof value === 'string' && !/^[\w./:@-]+$/.test(value) ? JSON.stringify(value) : String(value);
}

/** Levels by what became of a request: our failures, refusals that an operator should see, everything else. */
export function levelOf(status: number): 'info' | 'warn' | 'error' {
  if (status >= 500) return status === 503 || status === 507 ? 'warn' : 'error';
  return status === 401 || status === 403 || status === 429 ? 'warn' : 'info';
}
