// How this installation starts its own programs: the only place that depends on the kind of installation.

import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..', '..')

/** This Bun with our settings: those of the folder in which a command runs do not count. */
const withBun = (script: string): string[] => [
  process.execPath,
  '--no-install',
  '--no-env-file',
  `--config=${join(root, 'bunfig.toml')}`,
  join(root, script),
]

export const serverCommand = (): string[] => withBun('src/main.ts')

/** This command itself. */
export const ownCommand = (): string[] => withBun('src/cli/main.ts')

/** npm removes the folder of `npx` some day: nothing may refer to it later. */
export const isTemporary = (): boolean => /[\\/]_npx[\\/]/.test(root)
