// How a server answers /health while something is done to it, as another process sees it.
// What is done, and what is good enough, is the harness's.

import { resolve } from 'node:path'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'

export type Answer = {
  /** when it was asked, since 1970 */
  at: number
  ms: number
  /** how much of that the server's main thread was at work: what no neighbour on the machine can lengthen */
  heldMs: number
  /** 0: none came */
  status: number
}

export type HealthWatch = {
  answers: readonly Answer[]
  /** Does the work, and waits until a question that was asked after it is answered: what was asked in between. */
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
    until(() => (answers.at(-1)?.at ?? 0) > moment, { timeoutMs: 120_000, what: 'an answer of /health' })
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
