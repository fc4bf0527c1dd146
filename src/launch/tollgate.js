#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

/** The command `tollgate` of the package. Its first argument is the name of a program. */
process.argv.splice(
  1,
  1,
  fileURLToPath(new URL('../launch.js', import.meta.url)),
  'src/tollgate.ts',
);
await import('../launch.js');
