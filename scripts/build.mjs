// "npm run build": compiles src into dist, always.
import { build } from './setup/build.mjs';
import { explain } from './setup/run.mjs';

try {
  build();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
