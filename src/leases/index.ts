/** Work that one process at a time does, over all machines that share a store. */
export { type HeldLease, LeaseRunner } from './lease-runner.ts';
