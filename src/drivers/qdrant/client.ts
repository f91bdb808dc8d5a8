/** Client of Qdrant's REST API. A timeout is an error that names Qdrant, and the next request goes to the next node. */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';

export interface QdrantAddress {
  /** http://host:6333, of a server or of one node of a cluster. */
  readonly url: string;
  /** Other nodes of the same cluster, used when the first does not answer. */
  readonly nodes?: readonly string[] | undefined;
  readonly apiKey?: string | undefined;
  /** How long a search may take until the main storage is asked instead, in milliseconds. */
  readonly patienceMs?: number | undefined;
}

export interface Health {
  readonly isUp: boolean;
  readonly problem?: string;
}

/** What was asked for does not exist. */
export class Missing extends Error {}

/** Two seconds are promised, and the main storage needs some of them. */
const PATIENCE_MS = 1_000;

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

export class QdrantClient {
  readonly #addresses: readonly string[];
  readonly #headers: Readonly<Record<string, string>>;
  readonly #closing = new AbortController();
  readonly #patience: number;
  #current = 0;
  #health: Health = { isUp: true };

  constructor({ url, nodes = [], apiKey, patienceMs = PATIENCE_MS }: QdrantAddress) {
    this.#patience = patienceMs;
    this.#addresses = [url, ...nodes].map(checked);
    this.#headers = {
      'content-type': 'application/json',
      // Compressed answers come 40 ms later than others: small packets wait for each other's acknowledgement.
      'accept-encoding': 'identity',
      ...defined({ 'api-key': apiKey }),
    };
  }

  /** The state after the last request. */
  get health(): Health {
    return this.#health;
  }

  /** For people. */
  get place(): string {
    return new URL(this.#addresses[this.#current]!).host;
  }

  async call<Result>(
    method: Method,
    path: string,
    body?: unknown,
    patience: number = this.#patience,
  ): Promise<Result> {
    const { place } = this;
    let response: Response;
    let text: string;
    // Not AbortSignal.timeout, which fires even when the answer came long before.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), patience).unref();
    try {
      response = await fetch(`${this.#addresses[this.#current]}${path}`, {
        method,
        headers: this.#headers,
        signal: AbortSignal.any([this.#closing.signal, late.signal]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      throw this.#lost(place, reasonOf(error, patience), error);
    } finally {
      clearTimeout(timer);
    }
    if (response.ok) {
      this.#health = { isUp: true };
      return (JSON.parse(text) as { result: Result }).result;
    }
    throw this.#refused(place, response.status, complaintIn(text));
  }

  /** Aborts the requests that are under way. */
  close(): void {
    this.#closing.abort();
  }

  #lost(place: string, reason: string, cause: unknown): KeepsakeError {
    const error = new KeepsakeError('UNAVAILABLE', `Qdrant at ${place} does not answer: ${reason}`, {
      cause,
      hint: 'Check that it runs and can be reached. Nothing is lost: memories wait in the main storage until it is back.',
    });
    this.#down(error);
    return error;
  }

  #refused(place: string, status: number, complaint: string): Error {
    if (status === 404) return new Missing(complaint);
    if (status === 401 || status === 403) {
      const error = new KeepsakeError('PERMISSION', `Qdrant at ${place} refuses the key: ${complaint}`, {
        hint: 'Set KEEPSAKE_STORAGE_VECTORS_API_KEY to a key that may read and write.',
      });
      this.#down(error);
      return error;
    }
    // A node that has lost its cluster, or is starting.
    if (status >= 500) return this.#lost(place, complaint, undefined);
    return new KeepsakeError('STORAGE_FAILED', `Qdrant at ${place} refuses this: ${complaint}`, {
      hint: 'Keepsake needs Qdrant 1.16 or newer.',
      details: { status },
    });
  }

  #down({ message }: Error): void {
    if (this.#closing.signal.aborted) return;
    this.#health = { isUp: false, problem: message };
    this.#current = (this.#current + 1) % this.#addresses.length;
  }
}

function checked(address: string): string {
  const { protocol, username, password } = URL.parse(address) ?? { protocol: '', username: '', password: '' };
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') {
    throw new KeepsakeError('INVALID_CONFIG', 'The URL of Qdrant cannot be understood.', {
      hint: 'It looks like http://127.0.0.1:6333; a key goes into the variable KEEPSAKE_STORAGE_VECTORS_API_KEY.',
    });
  }
  return address.replace(/\/+$/, '');
}

function reasonOf(error: unknown, patience: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer for ${patience} ms`;
  return cause?.code ?? cause?.message ?? message;
}

function complaintIn(text: string): string {
  try {
    const { status } = JSON.parse(text) as { status: { error?: string } };
    return status.error ?? text;
  } catch {
    return text.slice(0, 200) || 'no reason given';
  }
}
