/** The filters of a view: in the address, so that a reload or a copied link shows the same, and kept while another view is shown. */
import type { Tab } from '../html.ts';
import { currentAddress, replaceQuery } from './dom/address.ts';

export class Filters<Values extends Readonly<Record<string, string>>> {
  readonly #view: Tab;
  readonly #standard: Values;
  values: Values;

  constructor(view: Tab, standard: Values) {
    this.#view = view;
    this.#standard = standard;
    this.values = standard;
  }

  /** Takes over what the address says, and returns whether anything changed. An address without a query keeps everything as it is. */
  read(): boolean {
    const { query } = currentAddress();
    const before = JSON.stringify(this.values);
    if (query !== undefined) {
      const entries = Object.entries(this.#standard).map(([name, value]) => [name, query.get(name) ?? value]);
      this.values = Object.fromEntries(entries);
    }
    this.#write();
    return JSON.stringify(this.values) !== before;
  }

  set(change: Partial<Values>): void {
    this.values = { ...this.values, ...change };
    this.#write();
  }

  /** Whether any of these filters narrows what is shown; without names, any at all. */
  isSet(names: readonly (keyof Values)[] = Object.keys(this.#standard)): boolean {
    return names.some((name) => this.values[name] !== this.#standard[name]);
  }

  #write(): void {
    const changed = Object.entries(this.values).filter(([name, value]) => value !== this.#standard[name]);
    replaceQuery(this.#view, new URLSearchParams(changed));
  }
}
