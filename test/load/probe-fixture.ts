// Asks a server's /health every few milliseconds from a process of its own, and writes a line for each answer.
// What the numbers mean is health.ts; it runs until it is killed, or whoever started it has gone.
//
// A machine that is busy with other things delays answers, too. What the kernel says of the server's main thread tells
// how long that one worked while the answer was waited for, and this no neighbour can lengthen.

import { existsSync, readFileSync } from 'node:fs'

const [url, pid, everyMs] = process.argv.slice(2)
const schedule = `/proc/${pid}/task/${pid}/schedstat`

/** Of the main thread, on the processor; null where the system does not tell. */
const workedMs = (): number | null =>
  existsSync(schedule) ? Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6 : null

const parent = process.ppid
while (process.ppid === parent) {
  const [before, begun] = [workedMs(), performance.now()]
  const at = Date.now()
  const status = await fetch(`${url}/health`, { signal: AbortSignal.timeout(60_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
  const ms = performance.now() - begun
  const after = workedMs()
  const heldMs = before === null || after === null ? ms : Math.min(ms, after - before)
  console.log(JSON.stringify({ at, ms, heldMs, status }))
  await Bun.sleep(Number(everyMs))
}
