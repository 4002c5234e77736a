// Polls a server's /health every few milliseconds and prints a line for each response (health.ts), until it is killed or
// its parent ends.
//
// Other load on the machine delays responses too. The kernel's CPU time of the server's main thread does not include it.

import { existsSync, readFileSync } from 'node:fs'

const [url, pid, everyMs] = process.argv.slice(2)
const schedule = `/proc/${pid}/task/${pid}/schedstat`

/** CPU time of the main thread; null if the system does not report it. */
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
