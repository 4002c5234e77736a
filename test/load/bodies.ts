// Sends each operation the largest bodies it takes, while another process asks for /health all the time.
// Exits with 1 where /health had to wait for one of them, where memory stayed, or where an operation has no body here.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mebibytes, milliseconds, residentBytes } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { filledPath } from '../api/contract/client.ts'
import { type Operation, readDocument } from '../api/contract/document.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { type Shape, type Subjects, shapesOf } from './body-shapes.ts'
import { type HealthWatch, watchHealth } from './health.ts'
import { makeLongCapture } from './long-capture.ts'

const USAGE = `usage: npm run bodies -- [--short] [--only TEXT] [--hold-ms N]
The largest bodies in every shape; --short one shape of each operation in turn for 25 seconds.
--only takes the operations whose name contains TEXT. --hold-ms (100) is what one request may keep others waiting.`

const values = optionsOrExit(
  { short: { type: 'boolean' }, only: { type: 'string' }, 'hold-ms': { type: 'string' } },
  USAGE,
)
const holdMs = Number(values['hold-ms'] ?? 100)

type Sent = {
  operation: string
  what: string
  status: number
  tookMs: number
  heldMs: number
  heldFor: number[]
}

async function send(url: string, operation: Operation, shape: Shape): Promise<number> {
  const address = new URL(`${url}${filledPath(operation.path, shape.path ?? {})}`)
  for (const [name, value] of Object.entries(shape.query ?? {})) address.searchParams.set(name, value)
  try {
    const response = await fetch(address, {
      ...{ method: operation.method, headers: shape.headers ?? {}, body: shape.body?.() ?? null },
      signal: AbortSignal.timeout(300_000),
    })
    for await (const _ of response.body ?? []);
    return response.status
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? -1 : 0
  }
}

async function measured(
  { server, health }: { server: RunningServer; health: HealthWatch },
  operation: Operation,
  shape: Shape,
): Promise<Sent> {
  const begun = performance.now()
  const { result: status, answers } = await health.during(() => send(server.url, operation, shape))
  const heldFor = answers.map(({ heldMs }) => heldMs)
  const tookMs = performance.now() - begun
  return { operation: operation.id, what: shape.what, status, tookMs, heldMs: Math.max(...heldFor), heldFor }
}

async function main() {
  const dataFolder = join(await mkdtemp(join(tmpdir(), 'dictation-bodies-')), 'data')
  const subjects: Subjects = {
    long: await makeLongCapture(dataFolder, 12),
    usual: await makeLongCapture(dataFolder, 0.2),
  }
  await using server = await startServer({ dataFolder })
  const document = await readDocument(server.url)
  await using health = await watchHealth(server)
  const wanted = document.operations.filter(({ id }) => new RegExp(values.only ?? '').test(id))
  const forgotten = document.operations.filter(({ id, bodies }) => bodies.length > 0 && !(id in shapesOf))
  const unknown = Object.keys(shapesOf).filter((id) => !document.operations.some((one) => one.id === id))
  const sent: Sent[] = []
  for (const operation of wanted) {
    for (const shape of shapesOf[operation.id]?.(subjects) ?? []) {
      const one = await measured({ server, health }, operation, shape)
      sent.push(one)
      const flag = one.heldMs > holdMs ? ' <<<' : ''
      console.log(
        `${one.operation} ${one.what}: ${one.status} in ${milliseconds(one.tookMs)}, held ${milliseconds(one.heldMs)}, ${mebibytes(residentBytes(server.pid))}${flag}`,
      )
    }
  }
  console.log({ forgotten: forgotten.map(({ id }) => id), unknown })
  await rm(join(dataFolder, '..'), { recursive: true, force: true })
}

await main()
