// Starts the real server on a state of the disk, lets it finish its jobs, and compares it with what was acknowledged.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  captureIds,
  type FetchApi,
  GONE,
  GONE_BY_BATCH,
  type Key,
  settle,
  view,
  withoutAudio,
} from '../support/kept-view.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { wrongCopies } from '../support/wrong-copies.ts'
import type { Snapshot } from './model-disk.ts'
import type { State } from './moments.ts'

const READY_WITHIN_MS = 300_000
/** Characters of a fault that are printed. */
const SHOWN = 160
const LOG_SHOWN = 5
const HASH = /[0-9a-f]{64}/

export type Verdict = {
  /** messages */
  faults: string[]
  /** acknowledged changes that were lost with the database, because their copies were not written yet */
  lostAsNewer: number
}

/** Creates the folder and removes it. */
export async function judge(state: State, folder: string): Promise<Verdict> {
  const dataFolder = join(folder, 'data')
  try {
    await writeFiles(state.files, dataFolder)
    const server = await startServer({ dataFolder, readyWithinMs: READY_WITHIN_MS })
    try {
      return await compareUntilStable(state, server)
    } catch (error) {
      const log = JSON.stringify(server.log().slice(-LOG_SHOWN)).slice(-SHOWN * 4)
      return fault(`${reasonOf(error)}; last log lines: ${log}`)
    } finally {
      await server.kill()
    }
  } catch (error) {
    return fault(reasonOf(error))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const fault = (sentence: string): Verdict => ({ faults: [sentence], lostAsNewer: 0 })

/** Reading may find the damage; then the comparison runs again once the server has rebuilt the database. */
async function compareUntilStable(state: State, server: RunningServer): Promise<Verdict> {
  const fetchApi: FetchApi = (path, init) =>
    until(
      async () => {
        const response = await fetch(server.url + path, init)
        return response.status === 503 ? null : response
      },
      { timeoutMs: READY_WITHIN_MS, what: `${path} to be served` },
    )
  const rebuilding = () =>
    server.log().find(({ msg }) => String(msg).startsWith('the database cannot be used'))
  const isRebuilt = () => state.database === 'gone' || rebuilding() !== undefined
  for (;;) {
    const judgedAsRebuilt = isRebuilt()
    await settle(fetchApi)
    const { faults, lostAsNewer } = await compare(fetchApi, state, judgedAsRebuilt)
    faults.push(...(await wrongCopies(fetchApi, server.dataFolder)))
    if (isRebuilt() !== judgedAsRebuilt) continue
    if (judgedAsRebuilt && state.database === 'durable')
      faults.push(`the database was rebuilt although everything it synced is there: ${rebuilding()?.reason}`)
    return { faults, lostAsNewer }
  }
}

async function writeFiles(files: Snapshot, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [path, bytes] of files) {
    const at = join(folder, path)
    if (path.endsWith('/')) await mkdir(at, { recursive: true, mode: 0o700 })
    else {
      await mkdir(dirname(at), { recursive: true, mode: 0o700 })
      await writeFile(at, bytes, { mode: 0o600 })
    }
  }
}

async function compare(
  fetchApi: FetchApi,
  { acknowledged, under, isPartSynced }: State,
  isRebuilt: boolean,
): Promise<Verdict> {
  const expected = new Map<Key, string>(acknowledged.flatMap((one) => [...one.expected]))
  const faults = await withoutAudio(fetchApi)
  let lostAsNewer = 0
  for (const [key, value] of expected) {
    const found = await view(fetchApi, key)
    const allowed = [value, under?.expected.get(key)].filter((one) => one !== undefined)
    if (allowed.some((one) => agrees(found, one))) continue
    if (isRebuilt && allowed.some((one) => isSameRecording(key, found, one))) lostAsNewer++
    else faults.push(`${key} ${difference(value, found)}`)
  }
  const newIds = (await captureIds(fetchApi)).filter((id) => !expected.has(`capture ${id}`))
  for (const id of newIds) {
    const isExpected =
      under?.upload === 'part' ||
      (under?.upload === 'whole' && (await isWholeUpload(fetchApi, id, [...under.expected.values()])))
    if (!isExpected)
      faults.push(`capture ${id} was not acknowledged and is ${await view(fetchApi, `capture ${id}`)}`)
  }
  if (isPartSynced && newIds.length === 0)
    faults.push('the synced part of a recording did not become a capture')
  return { faults, lostAsNewer }
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message.slice(0, SHOWN * 2) : String(error)

/** Both texts around the first difference. */
function difference(expected: string, found: string): string {
  const at = [...expected].findIndex((character, index) => character !== found[index])
  const from = Math.max(0, at - SHOWN / 2)
  const part = (text: string) => text.slice(from, from + SHOWN)
  return `was acknowledged as …${part(expected)}… and is …${part(found)}…`
}

/** `kept <hash>` is any capture with this audio. */
const agrees = (found: string, expected: string): boolean =>
  found === (expected === GONE_BY_BATCH ? GONE : expected) ||
  (expected.startsWith('kept ') && found.includes(expected.slice('kept '.length)))

/**
 * A rebuilt database has every recording and no deleted one; other fields may be as old as the copy. A batch was only
 * accepted, and is lost with the database.
 */
function isSameRecording(key: Key, found: string, expected: string): boolean {
  if (!key.startsWith('capture ') || expected === GONE_BY_BATCH) return true
  const hash = HASH.exec(expected)?.[0]
  return hash !== undefined && found.includes(hash)
}

/** An unacknowledged upload may exist with its whole audio, even without the client's fields. */
async function isWholeUpload(fetchApi: FetchApi, id: string, expected: string[]): Promise<boolean> {
  const found = await view(fetchApi, `capture ${id}`)
  const hash = HASH.exec(found)?.[0]
  return found !== GONE && hash !== undefined && expected.some((one) => one.includes(hash))
}
