/** The text of data/keys.json: keys by id, with the hashes of their secrets. */

import { KeepsakeError } from '../kernel/errors.ts';
import { ROLES } from '../kernel/scope.ts';
import { z } from '../kernel/zod.ts';
import type { ApiKey } from './api-key.ts';

const storedKey = z.strictObject({
  id: z.string().regex(/^[0-9a-z]{12}$/),
  name: z.string(),
  role: z.enum(ROLES),
  agent: z.string().optional(),
  user: z.string().optional(),
  userPrefix: z.string().optional(),
  createdAt: z.int(),
  revokedAt: z.int().optional(),
  expiresAt: z.int().optional(),
  /** SHA-256 of the secret, in hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
const storedKeys = z.strictObject({ version: z.literal(1), keys: z.array(storedKey) });

export type StoredKey = ApiKey & { readonly hash: string };

/** A file that cannot be read opens nothing: a key that it may have revoked must not come back to life. */
export function parseKeys(text: string, path: string): StoredKey[] {
  if (text === '') return [];
  try {
    return storedKeys.parse(JSON.parse(text)).keys as StoredKey[];
  } catch (cause) {
    throw new KeepsakeError('CORRUPT', `${path} is not a list of API keys.`, {
      hint: 'Repair it, or remove it and make new keys with "keepsake keys create".',
      cause,
    });
  }
}

export function renderKeys(keys: readonly StoredKey[]): string {
  return `${JSON.stringify({ version: 1, keys }, null, 2)}\n`;
}

export function withoutHash({ hash: _, ...key }: StoredKey): ApiKey {
  return key;
}
