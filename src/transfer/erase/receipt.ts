/** The signed receipt of an erasure: what was removed, by layer. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, text, time } from '../../kernel/schema-parts.ts';
import { z } from '../../kernel/zod.ts';

const layer = z.strictObject({
  erased: count,
  /** SHA-256 of the ids of what was erased, sorted, one in a line; null where nothing has an id. */
  sha256: text.nullable(),
});

export const eraseReceipt = z.strictObject({
  version: z.literal(1),
  id: text,
  /** The id or name itself is not in it: a receipt that is kept must not bring it back. */
  subject: z.strictObject({ kind: z.enum(['user', 'agent']), sha256: text }),
  startedAt: time,
  finishedAt: time,
  layers: z.record(text, layer),
  /** Copies that an erasure does not reach. */
  backups: z.array(z.strictObject({ file: text, ageDays: z.number() })),
  /** Where the engine itself kept old text when it was signed. Receipts of old have none. */
  remains: z.array(text).optional(),
  publicKey: text,
  signature: text,
});

export type EraseReceipt = z.output<typeof eraseReceipt>;
export type LayerCount = z.output<typeof layer>;

export const hashOf = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex');

/** Without the signature, in the order in which the fields are written. */
const signed = ({ signature: _, ...rest }: EraseReceipt): Buffer => Buffer.from(JSON.stringify(rest), 'utf8');

/** Made once for each workspace, readable by its owner only. */
function keyOf(dataFolder: string): KeyObject {
  const path = join(dataFolder, 'erasure.key');
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    try {
      linkSync(draft, path);
    } catch (error) {
      // Another process was quicker; its key is used.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    chmodSync(path, 0o600);
  }
  return createPrivateKey(readFileSync(path));
}

const publicPart = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');

export function signReceipt(
  receipt: Omit<EraseReceipt, 'publicKey' | 'signature'>,
  dataFolder: string,
): EraseReceipt {
  const key = keyOf(dataFolder);
  const unsigned = { ...receipt, publicKey: publicPart(key), signature: '' };
  return { ...unsigned, signature: sign(null, signed(unsigned), key).toString('base64') };
}

/** Whether this workspace signed it, and nobody changed it since. */
export function isGenuine(receipt: EraseReceipt, dataFolder: string): boolean {
  const key = keyOf(dataFolder);
  if (receipt.publicKey !== publicPart(key)) return false;
  return verify(null, signed(receipt), createPublicKey(key), Buffer.from(receipt.signature, 'base64'));
}
