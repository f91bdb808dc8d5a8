/** The guard: scanning of what is written, neutralising of what is read, and the quarantine for what was refused. */
export { foldLookAlikes } from './confusables.ts';
export { type Consent, Gate, type GateParts } from './gate.ts';
export { createGuard, type Examination, examine, type GuardOptions, noGuard } from './guard.ts';
export { listQuarantineInput, quarantineIdInput, scanInput } from './inputs.ts';
export { isTainted, neutralise } from './neutralise.ts';
export { fold } from './normalise.ts';
export { type DeletedEntry, Quarantine, type ReleasedWrite } from './quarantine.ts';
export { findSecrets } from './secrets.ts';
export type { ScannedText } from './verbs.ts';
