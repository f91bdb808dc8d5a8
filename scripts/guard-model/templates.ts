/** Expands templates: `(a|b)` is one of several, `{name}` a slot that a list fills. Same seed, same texts. */

export type Random = () => number;
export type Slots = Readonly<Record<string, readonly string[]>>;

/** Texts of one language: what is refused, what is not, and what fills the slots of both. */
export interface Language {
  readonly name: string;
  readonly slots: Slots;
  readonly orders: readonly string[];
  readonly harmless: readonly string[];
}

/** mulberry32: small, fast, the same everywhere. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

export function shuffle<T>(list: readonly T[], random: Random): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

const CHOICE = /\(([^()]*\|[^()]*)\)/;
const SLOT = /\{(\w+)\}/;

export function expand(template: string, slots: Slots, random: Random): string {
  // A slot alone in brackets is only that slot.
  let text = template.replace(/\((\{\w+\})\)/g, '$1');
  for (let match = CHOICE.exec(text); match !== null; match = CHOICE.exec(text)) {
    text = text.replace(match[0], () => pick(match![1]!.split('|'), random));
  }
  text = text.replace(/\((\{\w+\})\)/g, '$1').replace(/\( (\{\w+\})\)/g, ' $1');
  for (let match = SLOT.exec(text); match !== null; match = SLOT.exec(text)) {
    const fillers = slots[match[1]!];
    if (fillers === undefined) throw new Error(`The slot ${match[0]} of "${template}" has no list.`);
    text = text.replace(match[0], () => expand(pick(fillers, random), slots, random));
  }
  return text.replace(/ {2,}/g, ' ').trim();
}

/** Up to `count` different texts of a template. */
export function variants(template: string, slots: Slots, count: number, random: Random): string[] {
  const found = new Set<string>();
  for (let i = 0; i < count * 2 && found.size < count; i++) found.add(expand(template, slots, random));
  return [...found];
}
