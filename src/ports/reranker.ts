/** Port: a reranker, which scores how well a text answers a question. */
export interface Reranker {
  readonly id: string;
  /** One relevance per text, 0 to 1, in order. When it fails, search continues with the order that it had. */
  rerank(query: string, texts: readonly string[]): Promise<readonly number[]>;
}
