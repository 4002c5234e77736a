// Where AssemblyScript’s compiler lies, which only the build of the kernels and the measure of their peak need.
// What is compiled with which options is build.ts.

import { resolve } from 'node:path'

/** `npm run tools` puts it there. */
export const COMPILER = resolve(import.meta.dir, '../../scripts/tools/node_modules/assemblyscript/bin/asc.js')
