// The `dictation` command: reads the environment and the arguments, and exits.

import packageJson from '../../package.json' with { type: 'json' }
import { bypassProxyLocally } from '../lib/bypass-proxy.ts'
import { runProgram } from './program.ts'
import { exitWith } from './terminal/exit.ts'

bypassProxyLocally(process.env)
const { version } = packageJson
await exitWith(await runProgram({ args: process.argv.slice(2), env: process.env, version }))
