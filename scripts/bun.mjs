// Runs a script of this project with its own Bun, in the project folder. Needs only Node.

import { bunOrExit, root, runToEnd } from './bun-program.mjs'

runToEnd(bunOrExit(), process.argv.slice(2), { cwd: root })
