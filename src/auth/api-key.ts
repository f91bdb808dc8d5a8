/** What an API key is: who holds it, what it may do, and how its secret is made and recognised. */
import { hash, randomBytes } from 'node:crypto';
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName } from '../kernel/names.ts';
import { ROLES, type Role } from '../kernel/scope.ts';
import { checkUserId } from '../kernel/users.ts';
import { validate } from '../kernel/validate.ts';
import { z } from '../kernel/zod.ts';

/** The stored data of a key, without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The only agent that the key can act for; absent if it may act for any. */
  readonly agent?: string;
  /** The only user that the key can act for. */
  readonly user?: string;
  /** The key can act only for users whose ids begin with this prefix, for example the users of one tenant. */
  readonly userPrefix?: string;
  readonly createdAt: number;
  readonly revokedAt?: number;
  /** From then on, the key is refused. */
  readonly expiresAt?: number;
  /** When the key was last used, to the minute. */
  readonly lastUsedAt?: number;
}

export type KeyState = 'valid' | 'expired' | 'revoked';

export function keyState({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'valid';
}

export const newKeyInput = z.strictObject({
  name: z.string().trim().min(1).max(64).describe('A name or purpose, for your own reference.'),
  role: z.enum(ROLES).default('worker').describe('The permissions of the key.'),
  agent: z.string().optional().describe('The only agent that the key can act for.'),
  user: z.string().optional().describe('The only user that the key can act for.'),
  userPrefix: z
    .string()
    .optional()
    .describe('The key can act only for users whose ids begin with this prefix, for example "org/42/".'),
  expiresAt: z
    .int()
    .positive()
    .optional()
    .describe('When the key expires, in milliseconds since 1970. Default: it is valid until it is revoked.'),
});

export type NewKeyInput = z.input<typeof newKeyInput>;

const PREFIX = 'ksk';
const SHAPE = new RegExp(`^${PREFIX}_([0-9a-z]{12})_[A-Za-z0-9_-]{43}$`);

/** 256 random bits: nobody guesses them, so a fast hash protects them as well as a slow one would. */
export function makeSecret(id: string): string {
  return `${PREFIX}_${id}_${randomBytes(32).toString('base64url')}`;
}

export function makeKeyId(): string {
  return randomBytes(6).toString('hex');
}

/** The public part of a secret; undefined if the text is not one. */
export function idOfSecret(secret: string): string | undefined {
  return SHAPE.exec(secret)?.[1];
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Workers and readers are one agent or one user each: a key that could name any would open every silo. */
export function checkNewKey(given: NewKeyInput): z.output<typeof newKeyInput> {
  const input = validate(newKeyInput, given, 'keys.create');
  const { role, agent, user, userPrefix } = input;
  if (agent !== undefined) checkAgentName(agent);
  if (user !== undefined) checkUserId(user);
  if (userPrefix !== undefined) checkUserId(userPrefix);
  if (user !== undefined && userPrefix !== undefined) {
    throw new KeepsakeError('INVALID_INPUT', 'A key is bound to one user or to a prefix, not to both.', {
      hint: 'Use either --user or --user-prefix.',
    });
  }
  if (role === 'admin' && (user ?? userPrefix) !== undefined) {
    throw new KeepsakeError('INVALID_INPUT', 'A key with the role admin cannot be bound to a user.', {
      hint: 'Choose the role worker or reader for a key that is bound to a user.',
    });
  }
  if (agent === undefined && user === undefined && (role === 'worker' || role === 'reader')) {
    throw new KeepsakeError('INVALID_INPUT', `A key with the role ${role} needs an agent or a user.`, {
      hint: 'Pass --agent or --user. Only keys with the role lead or admin can act for several agents.',
    });
  }
  return input;
}
