// Runs the tracer beside a server during some work, and returns the calls made meanwhile.

import { resolve } from 'node:path'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import type { CallFailure, Touched, TracerMessage } from './calls.ts'

const tracer = resolve(import.meta.dir, 'tracer.ts')
const ATTACHED_WITHIN_MS = 180_000

/** @returns null if processes can be traced here */
export const whyNoTracing = (): string | null =>
  process.platform === 'linux' && process.arch === 'x64' ? null : 'the tracer needs Linux on x86-64'

type Aim = { failure: CallFailure; at: number }

/** @param aim the call to fail, counted from 1; null fails none */
export async function traced<T>(
  { pid, dataFolder }: RunningServer,
  aim: Aim | null,
  work: () => Promise<T>,
): Promise<{ result: T; calls: Touched[] }> {
  const child = Bun.spawn(
    [process.execPath, tracer, String(pid), dataFolder, String(aim?.at ?? 0), aim?.failure ?? 'SIGKILL'],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  let text = ''
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) text += chunk
  })()
  const messages = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line): TracerMessage => JSON.parse(line))
  const failure = () => messages().find((one) => 'failure' in one)?.failure
  try {
    await until(() => text.includes('\n') || child.exitCode !== null, {
      timeoutMs: ATTACHED_WITHIN_MS,
      what: 'the tracer to be attached',
    })
    if (failure() !== undefined || child.exitCode !== null) throw new Error(failure() ?? 'the tracer exited')
    const result = await work()
    return { result, calls: await endOf() }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }

  async function endOf(): Promise<Touched[]> {
    child.kill('SIGKILL')
    await reading
    return messages().filter((one) => 'call' in one)
  }
}
