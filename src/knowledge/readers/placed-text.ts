/** Builds a text from parts of a document and keeps the position of each part. */
import type { TextFormat } from '../chunk.ts';
import { lastAtMost } from '../lines.ts';

/** What citations count. */
export type Unit = 'line' | 'page' | 'paragraph' | 'row' | 'slide' | 'chapter';

export interface ReadDocument {
  readonly text: string;
  readonly format: TextFormat;
  readonly unit: Unit;
  /** The line, page, … that a character of the text comes from, from 1. */
  placeAt(offset: number): number;
  /** The sheet of a table that a character comes from. */
  sheetAt?(offset: number): string;
}

export class PlacedText {
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #places: number[] = [];
  readonly #sheets: string[] = [];
  #length = 0;

  add(text: string, place: number, sheet = ''): void {
    if (text === '') return;
    const part = text.toWellFormed();
    this.#starts.push(this.#length);
    this.#places.push(place);
    this.#sheets.push(sheet);
    this.#parts.push(part);
    this.#length += part.length;
  }

  document(format: TextFormat, unit: Unit): ReadDocument {
    const [starts, places, sheets] = [this.#starts, this.#places, this.#sheets];
    const at = (offset: number): number => Math.max(0, lastAtMost(starts, offset));
    return {
      ...{ text: this.#parts.join(''), format, unit },
      placeAt: (offset) => places[at(offset)] ?? 1,
      ...(unit === 'row' ? { sheetAt: (offset: number) => sheets[at(offset)] ?? '' } : {}),
    };
  }
}
