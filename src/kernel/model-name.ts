/** The name of a language model that was passed as a name, as our model or as an AI SDK model. */

/** Only what the name is made of; the AI SDK is not imported for it. */
export type NamedModel =
  | string
  | { readonly id: string }
  | { readonly provider: string; readonly modelId: string };

/** `provider/model`, by which the window of a model is known. */
export function modelName(model: NamedModel): string {
  if (typeof model === 'string') return model;
  return 'id' in model ? model.id : `${model.provider.split('.')[0]}/${model.modelId}`;
}
