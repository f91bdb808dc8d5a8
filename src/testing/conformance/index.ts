/** Conformance suites, one for each port that a storage driver implements. */
export { eventStoreConformance } from './event-store.ts';
export { itemStoreConformance } from './item-store.ts';
export { leaseStoreConformance } from './lease-store.ts';
export { logStoreConformance } from './log-store.ts';
export { messageBusConformance } from './message-bus.ts';
export { recordStoreConformance } from './record-store.ts';
export { runStoreConformance } from './run-store.ts';
export { stateStoreConformance } from './state-store.ts';
export type { ConformanceOptions, Expectation, Opened, StoreOf, TestRunner } from './suite.ts';
