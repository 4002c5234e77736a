// What a harness leaves behind when it is interrupted: nothing.
// Servers that it started would go on, with their data folders.

import { rmSync } from 'node:fs'
import { childrenOf, isRunning } from './children.ts'

/** On Ctrl-C and SIGTERM its processes are killed, the folder is removed, and it ends with 130. */
export function tidyWhenInterrupted(folder: string): void {
  const end = () => {
    for (const child of childrenOf('self').filter(isRunning)) process.kill(child, 'SIGKILL')
    // At once, so that nothing of this process begins anew; a killed process may write its last meanwhile.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
}
