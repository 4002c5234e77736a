// Kills the first start of a server, while it creates its folder and database; the next start must work.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leftovers } from '../support/leftovers.ts'
import { startServer } from '../support/server.ts'
import { losses, untilDone } from './losses.ts'
import { upload, type Witness } from './uploads.ts'

const SILENT = 'nothing-silence.flac'

/** @returns a message for each fault; the kills are spread over the duration of a first start */
export async function killFirstStarts(count: number): Promise<string[]> {
  const faults: string[] = []
  const longestMs = await inFolder(async (dataFolder) => {
    const begun = performance.now()
    const server = await startServer({ dataFolder })
    await server.kill()
    return performance.now() - begun
  })
  for (let index = 0; index < count; index++) {
    const afterMs = (longestMs * (index + 0.5)) / count
    const found = await inFolder((dataFolder) => killedAfter(afterMs, dataFolder)).catch((error: Error) => [
      error.message,
    ])
    faults.push(...found.map((fault) => `killed ${afterMs.toFixed(0)} ms after the first start: ${fault}`))
  }
  return faults
}

async function killedAfter(ms: number, dataFolder: string): Promise<string[]> {
  const first = await startServer({ dataFolder, untilReady: false })
  await Bun.sleep(ms)
  await first.kill()
  await using second = await startServer({ dataFolder })
  const witness: Witness = new Map()
  await upload(second.url, SILENT, 'form', witness)
  await untilDone(second)
  const lost = await losses(second, witness)
  return [...(witness.size === 1 ? [] : ['accepts no recording']), ...lost, ...(await leftovers(dataFolder))]
}

async function inFolder<T>(work: (dataFolder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-first-start-'))
  try {
    return await work(join(folder, 'data'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
