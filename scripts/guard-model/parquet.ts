/** The one package whose code is run to read a source: a reader of Parquet files, installed into the cache and not into the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const READER = 'hyparquet@1.31.5';

interface ParquetReader {
  parquetReadObjects(options: { readonly file: ArrayBuffer }): Promise<{ text: string; label: bigint }[]>;
}

export async function parquetReader(cache: string): Promise<ParquetReader> {
  const folder = join(cache, 'parquet-reader');
  const entry = join(folder, 'node_modules/hyparquet/src/index.js');
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync(
      'npm',
      ['install', READER, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  }
  return (await import(pathToFileURL(entry).href)) as ParquetReader;
}
