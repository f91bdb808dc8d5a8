/** What a benchmark is: a name, a question, and a function that answers with rows. */

export interface Row {
  readonly what: string;
  /** Numbers and words of the row, in the order of the columns. */
  readonly [column: string]: string | number;
}

export interface SuiteResult {
  readonly rows: readonly Row[];
  /** Ratios that documentation quotes, with the aim they are held against. */
  readonly headline: readonly { readonly name: string; readonly value: number; readonly aim?: string }[];
}

export interface Suite {
  readonly name: string;
  readonly question: string;
  /** Why aims are missed, as far as it is known. */
  readonly why?: string;
  run(options: { readonly quick: boolean; readonly progress: (text: string) => void }): Promise<SuiteResult>;
}
