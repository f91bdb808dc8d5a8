/** Ids made from what they stand for, so that importing the same file twice names the same messages. */
import { createHash } from 'node:crypto';
import { createIds } from '../../kernel/ids.ts';

export function stableMessageId(at: number, seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  return createIds({ now: () => Math.max(0, at) }, (length) => digest.subarray(0, length))('msg');
}

/** A UUID of version 8, the one for ids of one's own making. */
export function stableUuid(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
