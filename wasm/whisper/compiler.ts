import { ownFile } from '../../src/lib/own-files.ts'

/** AssemblyScript's compiler, which `npm run tools` installs. */
export const COMPILER = ownFile('scripts/tools/node_modules/assemblyscript/bin/asc.js')
