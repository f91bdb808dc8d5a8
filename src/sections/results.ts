/** What the verbs of sections answer with. */

export interface SectionSummary {
  readonly name: string;
  readonly lines: number;
}

export interface SectionText {
  readonly section: string;
  readonly content: string;
  readonly lines: number;
  /** Of the content, to save it only if nobody changed it meanwhile. */
  readonly hash: string;
}

export interface SavedSection {
  readonly section: string;
  readonly outcome: 'created' | 'replaced' | 'unchanged';
  readonly lines: number;
  readonly hash: string;
}

export interface AppendedSection {
  readonly section: string;
  readonly outcome: 'created' | 'appended' | 'unchanged';
  readonly lines: number;
  /** Present when the section has grown so long that it should be summarised. */
  readonly hint?: string;
}

export interface RemovedSection {
  readonly section: string;
  readonly lines: number;
}
