/** Caches features of a record's form, because searches see the same records often. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { isQuestion } from './context-evidence.ts';
import { speakerOf } from './lines.ts';

interface Form {
  readonly asks: boolean;
  readonly speaker: string | undefined;
}

const forms = new WeakMap<MemoryRecord, Form>();

function formOf(record: MemoryRecord): Form {
  let known = forms.get(record);
  if (known === undefined) {
    known = { asks: isQuestion(record.content), speaker: speakerOf(record.content) };
    forms.set(record, known);
  }
  return known;
}

/** Whether it ends with a question. */
export const asksSomething = (record: MemoryRecord): boolean => formOf(record).asks;

/** Who speaks, if it reads like a line of a conversation. */
export const speakerIn = (record: MemoryRecord): string | undefined => formOf(record).speaker;
