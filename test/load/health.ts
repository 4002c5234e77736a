// Polls /health from another process while a harness loads the server.

import { resolve } from 'node:path'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'

export type Answer = {
  /** time of the request, in ms since 1970 */
  at: number
  ms: number
  /** CPU time of the server's main thread in this time; other load on the machine does not lengthen it */
  heldMs: number
  /** 0: no response */
  status: number
}

export type HealthWatch = {
  answers: readonly Answer[]
  /** Runs the work and returns the polls sent meanwhile, after one sent afterwards was answered. */
  during<T>(work: () => Promise<T>): Promise<{ result: T; answers: Answer[] }>
  [Symbol.asyncDispose](): Promise<void>
}

const EVERY_MS = 4

export async function watchHealth({ url, pid }: Pick<RunningServer, 'url' | 'pid'>): Promise<HealthWatch> {
  const script = resolve(import.meta.dir, 'probe-fixture.ts')
  const child = Bun.spawn([process.execPath, script, url, String(pid), String(EVERY_MS)], {
    ...{ stdout: 'pipe', stderr: 'inherit' },
  })
  const answers: Answer[] = []
  const reading = (async () => {
    let rest = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) answers.push(JSON.parse(line) as Answer)
    }
  })()
  const answeredSince = (moment: number) =>
    until(() => (answers.at(-1)?.at ?? 0) > moment, { timeoutMs: 120_000, what: 'a response of /health' })
  await answeredSince(0)
  return {
    answers,
    async during(work) {
      const first = answers.length
      const result = await work()
      await answeredSince(Date.now())
      return { result, answers: answers.slice(first) }
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
      await reading
    },
  }
}
