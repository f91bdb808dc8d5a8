/** Detects memories whose text the prompt already contains. */

/** Where a statement ends: at the end of a line, or of a sentence. */
const BETWEEN = /\n+|(?<=[.!?。！？])\s+/u;
/** How a statement may begin or end without meaning anything else. */
const AROUND = /^[\s\-*•>"'“”‘’]+|[\s.!。！"'“”‘’]+$/gu;
const BEFORE = /(?:^|[\n.!?。！？])[\s\-*•>"'“”‘’]*$/u;
const AFTER = /^["'“”‘’]*\s*(?:$|[\n.!?。！？])/u;
/** What stands around a statement is seldom longer; more is not looked at. */
const NEAR = 8;
/** A text that holds the same words more often than this elsewhere than as a statement does not count as saying it. */
const MOST_PLACES = 50;

const fold = (text: string): string => text.toLowerCase().replace(/[^\S\n]+/gu, ' ');

export class SaidAlready {
  #texts: string[] = [];
  #folded = '';

  add(text: string): void {
    this.#texts.push(text);
  }

  /** Whole statements only: "it is not true that …" says something else than what it quotes. */
  says(text: string): boolean {
    // Only now: most prompts have little that could be said twice, and long histories.
    if (this.#texts.length > 0) this.#folded += `\n${this.#texts.map(fold).join('\n')}`;
    this.#texts = [];
    const statements = fold(text)
      .split(BETWEEN)
      .map((part) => part.replace(AROUND, ''))
      .filter((part) => part !== '');
    return statements.length > 0 && statements.every((statement) => this.#states(statement));
  }

  #states(statement: string): boolean {
    const all = this.#folded;
    let start = all.indexOf(statement);
    for (let places = 0; start !== -1 && places < MOST_PLACES; places++) {
      const end = start + statement.length;
      const isWhole =
        BEFORE.test(all.slice(Math.max(0, start - NEAR), start)) && AFTER.test(all.slice(end, end + NEAR));
      if (isWhole) return true;
      start = all.indexOf(statement, start + 1);
    }
    return false;
  }
}
