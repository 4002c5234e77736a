// How this installation starts its own programs: the only place that depends on the kind of installation.

import { SCRIPT_FLAG } from '../../lib/child-process.ts'
import { IN_EXECUTABLE, ownFile } from '../../lib/own-files.ts'

const SERVER = 'src/main.ts'

/** This Bun with our settings: those of the folder in which a command runs do not count. */
const withBun = (script: string): string[] => [
  process.execPath,
  '--no-install',
  '--no-env-file',
  `--config=${ownFile('bunfig.toml')}`,
  ownFile(script),
]

export const serverCommand = (): string[] =>
  IN_EXECUTABLE ? [process.execPath, SCRIPT_FLAG, SERVER] : withBun(SERVER)

/** This command itself. */
export const ownCommand = (): string[] => (IN_EXECUTABLE ? [process.execPath] : withBun('src/cli/main.ts'))

/** npm may delete the folder of `npx` at any time: nothing may refer to it later. */
export const isTemporary = (): boolean => /[\\/]_npx[\\/]/.test(ownFile('.'))
