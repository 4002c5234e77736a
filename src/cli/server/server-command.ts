// How this installation starts its own programs: the only place that depends on the kind of installation.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
export const isTemporary = (folder = ownFile('.')): boolean => /[\\/]_npx[\\/]/.test(folder)

/** What the user named to npx: a package, or a file such as ./local-dictation-0.1.0.tgz. It is two folders above. */
export function npxPackage(folder = ownFile('.')): string {
  try {
    const { _npx } = JSON.parse(readFileSync(join(folder, '..', '..', 'package.json'), 'utf8'))
    return String(_npx.packages[0])
  } catch {
    return 'local-dictation'
  }
}

/** What the user types for this command. */
export const typedCommand = (folder = ownFile('.')): string =>
  isTemporary(folder) ? `npx ${npxPackage(folder)}` : 'dictation'
