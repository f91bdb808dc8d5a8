/** The static embedding model that ships with the package. */
export { createStaticModel, type StaticModelOptions } from './static-model.ts';
