/** What enters a prompt, and the receipt for it. */

export { type Assembled, assemble } from './assembler.ts';
export { chatText } from './chat-text.ts';
export type { ClockPrecision } from './clock-line.ts';
export type { Neutralise } from './entry.ts';
export { escapeFence, type Separated, SWARM_FENCE, separateInjected, stripInjected } from './fence.ts';
export type { AssembleInput, Budgets, DocumentHit } from './input.ts';
export {
  type ContextParts,
  type ContextQuery,
  type MemoryContext,
  memoryContext,
  noteContextUsed,
} from './memory-context.ts';
export { type Profile, type ProfileParts, profileOf } from './profile.ts';
export {
  type DropReason,
  type DropReceipt,
  type MemoryReceipt,
  type Receipt,
  type Slot,
  type SlotReceipt,
  shownId,
} from './receipt.ts';
export { type RenderOptions, renderReceipt } from './render-receipt.ts';
export type { ReceiptOf, SessionReceipts } from './session-receipts.ts';
