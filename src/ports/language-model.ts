/** Port: a language model, as far as memory itself needs one. */

export interface GenerateRequest {
  readonly system?: string;
  readonly prompt: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

export interface Generated {
  readonly text: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

export interface LanguageModel {
  /** `provider/model`. */
  readonly id: string;
  generate(request: GenerateRequest): Promise<Generated>;
}
