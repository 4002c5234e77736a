// How this installation starts its server: the only place that depends on the kind of installation.

import { SCRIPT_FLAG } from '../../lib/child-process.ts'
import { IN_EXECUTABLE, ownFile } from '../../lib/own-files.ts'

const SERVER = 'src/main.ts'

/** In a checkout this Bun with our settings: those of the folder in which a command runs do not count. */
export const serverCommand = (): string[] =>
  IN_EXECUTABLE
    ? [process.execPath, SCRIPT_FLAG, SERVER]
    : [
        process.execPath,
        '--no-install',
        '--no-env-file',
        `--config=${ownFile('bunfig.toml')}`,
        ownFile(SERVER),
      ]
