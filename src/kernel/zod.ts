/** Schemas: zod, deferred. Every schema of Keepsake is made with this, so that loading a module does not build those it defines. */
export * as z from './schema-builders.ts';
