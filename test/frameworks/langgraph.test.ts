/** LangGraph's own validator of checkpointers, run on KeepsakeSaver. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vitest from 'vitest';
import { KeepsakeSaver } from '../../src/adapters/langgraph/index.ts';
import { type Client, createClient } from '../../src/index.ts';

const { describe, it, expect, beforeAll, afterAll, beforeEach, afterEach, test } = vitest;
// The validator expects the functions of the test runner as globals.
Object.assign(globalThis, { describe, it, test, expect, beforeAll, afterAll, beforeEach, afterEach });
const { validate, deltaChannelHistoryTests } = await import('@langchain/langgraph-checkpoint-validation');

const open = new Map<object, { client: Client; folder: string }>();
const initializer = {
  checkpointerName: '[matrix] langgraph · save: KeepsakeSaver passes the validator of LangGraph',
  createCheckpointer() {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-saver-'));
    const client = createClient({ workspace: folder });
    const saver = new KeepsakeSaver({ client });
    open.set(saver, { client, folder });
    return saver;
  },
  async destroyCheckpointer(saver: object) {
    const { client, folder } = open.get(saver)!;
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  },
};

// Its types are those of its own copy of the package.
validate(initializer as unknown as Parameters<typeof validate>[0]);
describe('KeepsakeSaver', () => deltaChannelHistoryTests(initializer as never));
