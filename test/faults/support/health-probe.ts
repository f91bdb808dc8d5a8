/** Asks a server for its health all the time, from a thread of its own, and says how long the answers took. */
import { Worker } from 'node:worker_threads';

const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true });
let times = [];
function ask() {
  const started = performance.now();
  const done = (milliseconds) => { times.push(milliseconds); setTimeout(ask, 5); };
  http.get(workerData + '/healthz', { agent }, (answer) => {
    answer.resume().on('end', () => done(performance.now() - started));
  }).on('error', () => done(Infinity));
}
ask();
parentPort.on('message', () => { parentPort.postMessage(times); times = []; });
`;

export class HealthProbe {
  readonly #worker: Worker;

  constructor(url: string) {
    this.#worker = new Worker(PROGRAM, { eval: true, workerData: url });
  }

  /** How long each answer took since the last time, in milliseconds. */
  take(): Promise<number[]> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage('take');
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
