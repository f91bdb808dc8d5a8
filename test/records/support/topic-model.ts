/** An embedding model of a few topics, slow as models of others are, which a test can break and mend. */
import type { EmbeddingModel } from '../../../src/index.ts';

const TOPICS = [
  ['cat', 'dog', 'pet', 'puppy', 'kitten'],
  ['tea', 'coffee', 'drink', 'beverage'],
  ['car', 'lorry', 'vehicle', 'bicycle'],
  ['rain', 'snow', 'weather', 'storm'],
  ['berlin', 'paris', 'city', 'town'],
] as const;

export function topicVector(text: string, dimensions: number = TOPICS.length): Float32Array {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const vector = new Float32Array(dimensions);
  TOPICS.forEach((topic: readonly string[], i) => {
    vector[i] = words.filter((word) => topic.includes(word)).length;
  });
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

export interface TopicModel extends EmbeddingModel {
  /** What happens to the next calls. */
  mode: 'works' | 'fails' | 'hangs' | 'wrong-count' | 'not-numbers' | 'too-short';
  /** A text that it cannot take. */
  refuses: string | undefined;
  /** Texts of documents, one entry per call. */
  readonly calls: string[][];
  closed: boolean;
}

export interface TopicModelOptions {
  readonly id?: string;
  readonly dimensions?: number;
  readonly batchSize?: number;
}

export function topicModel(options: TopicModelOptions = {}): TopicModel {
  const { id = 'test/topics-1', dimensions = TOPICS.length, batchSize = 4 } = options;
  const model: TopicModel = {
    id,
    dimensions,
    batchSize,
    calibration: { unrelated: 0.2, same: 0.9 },
    mode: 'works',
    refuses: undefined,
    calls: [],
    closed: false,
    async embed(texts, kind) {
      if (kind === 'document') model.calls.push([...texts]);
      if (model.mode === 'hangs') await new Promise(() => {});
      if (model.mode === 'fails') throw new Error('the model is out of order');
      if (texts.some((text) => text === model.refuses)) throw new Error('a text it cannot take');
      if (model.mode === 'wrong-count') return [];
      if (model.mode === 'not-numbers') return texts.map(() => new Float32Array(dimensions).fill(Number.NaN));
      if (model.mode === 'too-short') return texts.map(() => new Float32Array(1));
      return texts.map((text) => topicVector(text, dimensions));
    },
    async close() {
      model.closed = true;
    },
  };
  return model;
}
