/** A local model that makes a vector for each token, computed in a worker thread of its own. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { TextInPlace, TokenModel, TokenVectors } from '../../ports/token-model.ts';
import type { LocalModel, TokenOutput } from './catalog.ts';
import type { TokenTask } from './protocol.ts';
import { unlessAborted } from './unless-aborted.ts';
import { WorkerThread } from './worker-thread.ts';

/** A question is let in between two of these. */
const BATCH_SIZE = 4;

/** `projection`: path of the file that the catalog names. */
export function createOnnxTokens(
  { name, files }: Pick<LocalModel, 'name' | 'files'>,
  { id, dimensions, passage }: Omit<TokenOutput, 'projection'>,
  { folder, projection }: { readonly folder: string; readonly projection: string },
): TokenModel {
  const space = { id, dimensions, passage };
  const settings = { makes: 'tokens', name, folder, files, projection, dimensions, passage } as const;
  const thread = new WorkerThread<TokenTask, TokenVectors>(settings);
  let closed = false;

  async function encode(texts: readonly TextInPlace[], signal?: AbortSignal): Promise<TokenVectors[]> {
    const made: TokenVectors[] = [];
    for (let start = 0; start < texts.length; start += BATCH_SIZE) {
      if (closed) throw new KeepsakeError('CLOSED', `The model ${name} was closed.`);
      const batch = texts.slice(start, start + BATCH_SIZE);
      made.push(...(await unlessAborted(() => thread.call({ texts: batch }), signal)));
    }
    return made;
  }

  return {
    ...space,
    encode,
    async close() {
      closed = true;
      await thread.close();
    },
  };
}
