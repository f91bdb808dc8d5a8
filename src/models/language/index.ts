/** Language models of the AI SDK, by provider and name or as an object, with roles and usage. */
export { adoptSdkModel, type ChatModelOptions, createChatModel, type Patience } from './chat-model.ts';
export { createModels, type ModelsOptions } from './models.ts';
export { costOf, type Price, type Prices } from './prices.ts';
export { checkInstalled, createServerModel, type ServerModel, type WireFormat } from './providers.ts';
export { isSdkLanguageModel, type SdkLanguageModel } from './sdk-model.ts';
