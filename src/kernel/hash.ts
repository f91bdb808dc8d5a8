/** The hash by which contents are compared. */
import { createHash } from 'node:crypto';

/** SHA-256 of the UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
