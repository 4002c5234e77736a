import { resolve } from 'node:path'

/** AssemblyScript's compiler, which `npm run tools` installs. */
export const COMPILER = resolve(import.meta.dir, '../../scripts/tools/node_modules/assemblyscript/bin/asc.js')
