/** MCP messages over a pair of streams; pending requests are answered after the input ends. */
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';

type RequestId = string | number;

/** Stays open permanently, so nobody waits for its answer. */
const ENDLESS = 'subscriptions/listen';

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #buffer = new ReadBuffer();
  readonly #unanswered = new Set<RequestId>();
  #hasEnded = false;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#read);
    this.#input.on('error', this.#end);
    this.#input.on('end', this.#end);
    this.#input.on('close', this.#end);
    this.#output.on('error', this.#fail);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#end);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#output.write(serializeMessage(message), (error) => {
        if ('id' in message && !('method' in message)) this.#settle(message.id);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Takes no more questions, and closes when those that were asked have their answers. */
  finish(): void {
    this.#input.off('data', this.#read);
    this.#end();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#read);
    // Nothing keeps the process alive for an input that nobody reads.
    this.#input.pause();
    this.#buffer.clear();
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      // One message that is larger than all memory allows; what follows cannot be told apart any more.
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.#note(message);
        this.onmessage?.(message);
      } catch (error) {
        // A line that is not a message; the next one may be.
        this.onerror?.(new Error('Skipped a line that is not a JSON-RPC message.', { cause: error }));
      }
    }
  };

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method !== ENDLESS) this.#unanswered.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      // Not answered any more.
      this.#settle((message.params as { requestId?: RequestId } | undefined)?.requestId);
    }
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    this.#leaveWhenDone();
  }

  #leaveWhenDone(): void {
    if (this.#hasEnded && this.#unanswered.size === 0) void this.close();
  }

  readonly #end = (): void => {
    this.#hasEnded = true;
    this.#leaveWhenDone();
  };

  /** Nobody reads the answers. */
  readonly #fail = (): void => {
    void this.close();
  };
}
