// What a harness leaves behind when it is interrupted: nothing.
// Servers that it started would go on, with their data folders.

import { childrenOf, isRunning } from './children.ts'
import { until } from './until.ts'

const GONE_WITHIN_MS = 5000

/** On Ctrl-C and SIGTERM its processes are killed, then `tidy` removes what they wrote to, and it ends with 130. */
export function tidyWhenInterrupted(tidy: () => Promise<unknown>): void {
  const end = async () => {
    const children = childrenOf('self').filter(isRunning)
    for (const child of children) process.kill(child, 'SIGKILL')
    await until(() => !children.some(isRunning), { timeoutMs: GONE_WITHIN_MS }).catch(() => {})
    await tidy()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
}
