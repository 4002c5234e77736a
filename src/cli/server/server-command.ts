// How this installation starts its server: the only place that depends on the kind of installation.

import { join } from 'node:path'

/** This Bun with our settings: those of the folder in which a command runs do not count. */
export const serverCommand = (): string[] => [
  process.execPath,
  '--no-install',
  '--no-env-file',
  `--config=${join(root, 'bunfig.toml')}`,
  join(root, 'src', 'main.ts'),
]

const root = join(import.meta.dir, '..', '..', '..')
