// Cleans up an interrupted harness: otherwise its servers and their data folders would remain.

import { rmSync } from 'node:fs'
import { childrenOf, isRunning } from './children.ts'

/** On Ctrl-C and SIGTERM, kills its processes, removes the folder and exits with 130. */
export function tidyWhenInterrupted(folder: string): void {
  const end = () => {
    for (const child of childrenOf('self').filter(isRunning)) process.kill(child, 'SIGKILL')
    // Synchronous, so that this process starts nothing new; a killed process may still finish a write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
}
