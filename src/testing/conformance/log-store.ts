/** The suite that every log store passes: append-only, in order, exact. */
import { logChanges } from './log-changes.ts';
import { logMessages } from './log-messages.ts';
import { type ConformanceOptions, registerSuite, type StoreOf } from './suite.ts';

export function logStoreConformance(options: ConformanceOptions<StoreOf<'log'>>): void {
  registerSuite('log store', { ...logMessages, ...logChanges }, options);
}
