// Starts the real server on a state of the disk, has it do what was promised, and says what is not as it was acknowledged.

import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Ask, captureIds, GONE, type Key, settle, view, withoutAudio } from '../support/kept-view.ts'
import { startServer } from '../support/server.ts'
import type { Snapshot } from './model-disk.ts'
import type { State } from './moments.ts'

const READY_WITHIN_MS = 300_000
/** Letters of what is wrong. */
const SHOWN = 160
const LOG_SHOWN = 5

/** A sentence for each; the folder is made for it, and removed. */
export async function faultsOf(state: State, folder: string): Promise<string[]> {
  const dataFolder = join(folder, 'data')
  try {
    await layOut(state.files, dataFolder)
    const server = await startServer({ dataFolder, readyWithinMs: READY_WITHIN_MS })
    try {
      const ask: Ask = (path, init) => fetch(server.url + path, init)
      await settle(ask)
      return [...rebuiltWithoutReason(state, server.log()), ...(await compare(ask, state))]
    } catch (error) {
      return [
        `${reasonOf(error)}; it said ${JSON.stringify(server.log().slice(-LOG_SHOWN)).slice(-SHOWN * 4)}`,
      ]
    } finally {
      await server.kill()
    }
  } catch (error) {
    return [reasonOf(error)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A database whose disk kept its promise is opened as it is. */
function rebuiltWithoutReason({ database }: State, log: unknown[]): string[] {
  const isRebuilt = JSON.stringify(log).includes('the database is of no use')
  return database === 'durable' && isRebuilt
    ? ['the database was rebuilt though everything it synced is there']
    : []
}

async function layOut(files: Snapshot, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [path, { bytes, modifiedMs }] of files) {
    const at = join(folder, path)
    if (path.endsWith('/')) await mkdir(at, { recursive: true, mode: 0o700 })
    else {
      await mkdir(dirname(at), { recursive: true, mode: 0o700 })
      await writeFile(at, bytes, { mode: 0o600 })
      if (modifiedMs !== null) await utimes(at, modifiedMs / 1000, modifiedMs / 1000)
    }
  }
}

/** What the user taught and set has no other truth than the database; its copy follows within a second. */
const isInLibrary = (key: Key): boolean => !key.startsWith('capture ')

async function compare(ask: Ask, { acknowledged, under, isPartSynced, database }: State): Promise<string[]> {
  const promised = new Map<Key, string>(acknowledged.flatMap((one) => [...one.promised]))
  const faults = await withoutAudio(ask)
  for (const [key, value] of promised) {
    if (database !== 'durable' && isInLibrary(key)) continue
    const found = await view(ask, key)
    const allowed = [value, under?.promised.get(key)].filter((one) => one !== undefined)
    if (!allowed.some((one) => agrees(found, one))) faults.push(`${key} ${difference(value, found)}`)
  }
  const strangers = (await captureIds(ask)).filter((id) => !promised.has(`capture ${id}`))
  for (const id of strangers) {
    const isExpected =
      under?.upload === 'part' ||
      (under?.upload === 'whole' && (await isWholeUpload(ask, id, [...under.promised.values()])))
    if (!isExpected)
      faults.push(`capture ${id} was promised to nobody and is ${await view(ask, `capture ${id}`)}`)
  }
  if (isPartSynced && strangers.length === 0) faults.push('what was synced of a recording is no capture')
  return faults
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message.slice(0, SHOWN * 2) : String(error)

/** From shortly before the first letter that differs. */
function difference(promised: string, found: string): string {
  const at = [...promised].findIndex((letter, index) => letter !== found[index])
  const from = Math.max(0, at - SHOWN / 2)
  const part = (text: string) => text.slice(from, from + SHOWN)
  return `was promised as …${part(promised)}… and is …${part(found)}…`
}

/** `kept <hash>` is any capture with this audio. */
const agrees = (found: string, promised: string): boolean =>
  found === promised || (promised.startsWith('kept ') && found.includes(promised.slice('kept '.length)))

/** What was not acknowledged may be there, with all of its audio; what the client said of it may not. */
async function isWholeUpload(ask: Ask, id: string, promised: string[]): Promise<boolean> {
  const found = await view(ask, `capture ${id}`)
  const hash = /[0-9a-f]{64}/.exec(found)?.[0]
  return found !== GONE && hash !== undefined && promised.some((one) => one.includes(hash))
}
