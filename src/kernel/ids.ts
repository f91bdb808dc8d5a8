/** Prefixed ids that sort by time of creation: `mem_` + 10 characters of milliseconds + 16 of chance. */
import type { Clock } from './clock.ts';

export type IdPrefix = 'mem' | 'msg' | 'run' | 'ses' | 'key' | 'qtn' | 'rcp' | 'ers';

/** Crockford's base 32 in lower case: no i, l, o, u, so that ids can be read aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const CHANCE_LENGTH = 16;

export type RandomBytes = (length: number) => Uint8Array;

/** Asking the system takes longer than making an id, so it is asked for many at once; none is handed out twice. */
const POOL_BYTES = 4_096;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

export const systemRandom: RandomBytes = (length) => {
  if (length > POOL_BYTES) return globalThis.crypto.getRandomValues(new Uint8Array(length));
  if (used + length > POOL_BYTES) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + length);
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
};

export type IdFactory = (prefix: IdPrefix) => string;

function encodeTime(milliseconds: number): string {
  let rest = milliseconds;
  let out = '';
  for (let i = 0; i < TIME_LENGTH; i++) {
    out = ALPHABET[rest % 32] + out;
    rest = Math.floor(rest / 32);
  }
  return out;
}

/** Adds one to the random part, so that ids made within one millisecond still sort in order. */
function increment(digits: Uint8Array): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i]! < 31) {
      digits[i]!++;
      return;
    }
    digits[i] = 0;
  }
}

export function createIds(clock: Clock, random: RandomBytes = systemRandom): IdFactory {
  let lastTime = -1;
  let timePart = '';
  let digits = new Uint8Array(CHANCE_LENGTH);

  return (prefix) => {
    // A clock that steps back must not make ids that sort before their elders.
    const time = Math.max(clock.now(), lastTime);
    if (time === lastTime) {
      increment(digits);
    } else {
      lastTime = time;
      timePart = encodeTime(time);
      digits = random(CHANCE_LENGTH).map((byte) => byte & 31) as Uint8Array<ArrayBuffer>;
      // Room to count up within this millisecond, however high chance began.
      digits[0]! &= 15;
    }
    let chance = '';
    for (const digit of digits) chance += ALPHABET[digit];
    return `${prefix}_${timePart}${chance}`;
  };
}
