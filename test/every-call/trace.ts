// Runs the tracer beside a server while something is done, and gives the calls that were made meanwhile.

import { resolve } from 'node:path'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import type { Blow, Told, Touched } from './calls.ts'

const tracer = resolve(import.meta.dir, 'tracer.ts')
const ATTACHED_WITHIN_MS = 60_000

/** Null where processes can be traced here. */
export const whyNoTracing = (): string | null =>
  process.platform === 'linux' && process.arch === 'x64' ? null : 'the tracer is for Linux on x86-64'

type Aim = { blow: Blow; at: number }

/** `aim`: which call is hit, counted from 1; null hits none. */
export async function traced<T>(
  { pid, dataFolder }: RunningServer,
  aim: Aim | null,
  work: () => Promise<T>,
): Promise<{ result: T; calls: Touched[] }> {
  const child = Bun.spawn(
    [process.execPath, tracer, String(pid), dataFolder, String(aim?.at ?? 0), aim?.blow ?? 'SIGKILL'],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  let text = ''
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) text += chunk
  })()
  const told = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line): Told => JSON.parse(line))
  const failure = () => told().find((one) => 'failure' in one)?.failure
  try {
    await until(() => text.includes('\n') || child.exitCode !== null, {
      timeoutMs: ATTACHED_WITHIN_MS,
      what: 'the tracer to be attached',
    })
    if (failure() !== undefined || child.exitCode !== null) throw new Error(failure() ?? 'the tracer ended')
    const result = await work()
    return { result, calls: await endOf() }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }

  async function endOf(): Promise<Touched[]> {
    child.kill('SIGKILL')
    await reading
    return told().filter((one) => 'call' in one)
  }
}
