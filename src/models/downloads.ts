// The running downloads: one per model, shared by all clients that request it. Resumes those of an earlier run.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { diskSpace, isDiskFull } from '../lib/disk-space.ts'
import { makeFolder } from '../lib/durable.ts'
import type { Publish } from '../lib/events.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import {
  DISK_FULL,
  type DownloadFailure,
  type EndReason,
  notWritable,
  ROOM_LEFT_BYTES,
} from './download-failure.ts'
import {
  createDownloadState,
  createEndedDownloads,
  type DownloadState,
  fractionOf,
  percentOf,
} from './download-state.ts'
import { download } from './download-task.ts'
import { type ChoiceFailure, chooseDownload, type Downloadable, findDownloadable } from './downloadable.ts'
import {
  DOWNLOADS_FOLDER,
  type FolderBusy,
  type FolderTurn,
  partFile,
  removeStrays,
  unfinishedDownloads,
} from './part-file.ts'
import type { ModelStore } from './store.ts'
import { RETRY_POLICY, type TransferRetryPolicy } from './transfer.ts'

export type StartFailure = ChoiceFailure | FolderBusy | DownloadFailure

export type Started = { outcome: 'started' | 'joined' | 'already_here'; name: string }

/** An entry of GET /tasks/active, with Voicebox's fields. */
export type ActiveDownload = {
  model_name: string
  status: DownloadState['status']
  started_at: string
  error: string | null
  /** 0 to 100 */
  progress: number
  current: number
  total: number | null
  filename: string
}

export type Downloads = ReturnType<typeof createDownloads>

export type DownloadsDeps = {
  modelsFolder: string
  store: Pick<ModelStore, 'find' | 'resolve' | 'admit'>
  folderTurn: FolderTurn
  /** read at the start of each download */
  baseUrl: () => string
  /** the engine's limit */
  maxModelBytes: number
  publish: Publish
  clock: Clock
  log: Log
  retryPolicy?: TransferRetryPolicy
  freeBytes?: (folder: string) => Promise<number>
}

type Running = { state: () => DownloadState; end: (reason: EndReason) => void; over: Promise<void> }

export function createDownloads(deps: DownloadsDeps) {
  const { modelsFolder, store, folderTurn, publish, clock, log, retryPolicy = RETRY_POLICY } = deps
  const running = new Map<string, Running>()
  const ended = createEndedDownloads()
  const listeners = new Set<(state: DownloadState) => void>()
  const inTurn = createKeyedLock()
  let stopping = false

  const freeBytes = deps.freeBytes ?? (async (folder) => (await diskSpace(folder)).freeBytes)

  /** Space that other downloads still need counts as used. */
  const checkRoom = async (bytes: number, file: string): Promise<DownloadFailure | null> => {
    const others = [...running].filter(([name]) => name !== file).map(([, one]) => one.state())
    const reserved = others.reduce((sum, { current, total }) => sum + Math.max(0, (total ?? 0) - current), 0)
    return (await freeBytes(modelsFolder)) < bytes + reserved + ROOM_LEFT_BYTES ? DISK_FULL : null
  }

  const publishUpdates = (publishedPercent: { value: number }) => (state: DownloadState) => {
    for (const listen of listeners) listen(state)
    // The bus stores its events, so publish once per percent instead of every 250 ms.
    const percent = Math.floor(fractionOf(state) * 100)
    if (percent === publishedPercent.value && state.status === 'downloading') return
    publishedPercent.value = percent
    const { name, status, current, total } = state
    publish({ name: 'model.progress', modelName: name, status, current, total })
  }

  const begin = (wanted: Downloadable, askedAs: string, giveBack: () => void): void => {
    const { file, name } = wanted
    const ending = new AbortController()
    const state = createDownloadState(wanted, {
      askedAs,
      startedAt: clock(),
      onUpdate: publishUpdates({ value: -1 }),
    })
    const work = async () => {
      log.info({ model: name, file }, 'download started')
      state.progress(await partFile(modelsFolder, file).size(), wanted.bytes)
      const outcome = await download({
        wanted,
        askedAs,
        modelsFolder,
        store,
        retryPolicy,
        signal: ending.signal,
        baseUrl: deps.baseUrl().replace(/\/+$/, ''),
        maxBytes: deps.maxModelBytes,
        checkRoom: (bytes) => checkRoom(bytes, file),
        onProgress: state.progress,
        onVerifying: () => state.become('verifying'),
      })
      if (outcome.ok) return finish('complete', null)
      const { code, message } = outcome.failure
      if (code === 'canceled') finish('canceled', null)
      else if (code !== 'stopping') finish('error', message)
    }
    const finish = (status: DownloadState['status'], message: string | null) => {
      running.delete(file)
      state.become(status, message)
      ended.add(state.now())
      log.info({ model: name, status, ...(message !== null && { reason: message }) }, 'download ended')
    }
    const over = work()
      .catch((error: unknown) => {
        log.error({ model: name, reason: String(error) }, 'download failed unexpectedly')
        finish('error', "Internal error. The server's log has the reason.")
      })
      .finally(() => {
        running.delete(file)
        giveBack()
      })
    ended.forget(file)
    running.set(file, { state: state.now, end: (reason) => ending.abort(reason), over })
  }

  const start = async (name: string, askedAs: string): Promise<Result<Started, StartFailure>> => {
    const chosen = await chooseDownload(name, store, deps.maxModelBytes)
    if (!chosen.ok) return chosen
    if (chosen.value.wanted === null) return succeed({ outcome: 'already_here', name: chosen.value.here })
    const { wanted } = chosen.value
    if (running.has(wanted.file)) return succeed({ outcome: 'joined', name: wanted.name })
    const part = partFile(modelsFolder, wanted.file)
    try {
      await makeFolder(join(modelsFolder, DOWNLOADS_FOLDER))
      const noRoom = await checkRoom(Math.max(0, (wanted.bytes ?? 0) - (await part.size())), wanted.file)
      if (noRoom) return fail(noRoom)
      const turn = await folderTurn.take()
      if (!turn.ok) return turn
      if (stopping) turn.value.giveBack()
      else begin(wanted, askedAs, turn.value.giveBack)
      return succeed({ outcome: 'started', name: wanted.name })
    } catch (error) {
      log.warn({ reason: String(error) }, 'the models folder is not writable')
      return fail(isDiskFull(error) ? DISK_FULL : notWritable(error))
    }
  }

  const fileOf = (name: string): string | null => {
    const requested = [...running].find(([, one]) => [one.state().askedAs, one.state().name].includes(name))
    const found = findDownloadable(name)
    return requested?.[0] ?? (found.ok ? found.value.file : null)
  }

  const find = (name: string): DownloadState | null => {
    const file = fileOf(name)
    if (file === null) return null
    return running.get(file)?.state() ?? ended.find(file)
  }

  return {
    /** Serialised, so that two simultaneous requests share one download. */
    start: (name: string) => inTurn('start', () => start(name, name)),

    /** Ends the download and removes its part. @returns false if there was neither */
    cancel: (name: string): Promise<boolean> =>
      inTurn('start', async () => {
        const file = fileOf(name)
        if (file === null) return false
        const one = running.get(file)
        one?.end('canceled')
        await one?.over
        if (one === undefined) ended.forget(file)
        const part = partFile(modelsFolder, file)
        const halfDone = (await part.readNote()) !== null
        if (halfDone) await part.remove()
        return one !== undefined || halfDone
      }),

    /** The state of a running download, or of one that has just ended. */
    find,

    /** Whether a state belongs to the model that a client calls `name`. */
    isOf: (state: DownloadState, name: string): boolean =>
      state.askedAs === name || state.name === name || state.file === fileOf(name),

    /** `listen` must not throw. @returns a function that unsubscribes */
    watch(listen: (state: DownloadState) => void): () => void {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },

    states: (): DownloadState[] => [...running.values()].map((one) => one.state()),

    /** Running downloads, and failed ones that were not cleared. */
    active: (): ActiveDownload[] =>
      [...ended.failed(), ...[...running.values()].map((one) => one.state())].map(activeDownload),

    clearFailed: ended.clearFailed,

    /** The received fraction of each unfinished download that is not running, by file. */
    async halfDone(): Promise<Map<string, number>> {
      const fractions = new Map<string, number>()
      for (const { id, bytes } of await unfinishedDownloads(modelsFolder)) {
        const found = findDownloadable(id)
        if (!found.ok || running.has(found.value.file)) continue
        const size = await partFile(modelsFolder, found.value.file).size()
        const total = bytes ?? found.value.bytes
        fractions.set(found.value.file, total ? Math.min(size / total, 1) : 0)
      }
      return fractions
    },

    /** Resumes the downloads that were running when the server stopped or crashed. */
    async resume(): Promise<void> {
      if (!existsSync(join(modelsFolder, DOWNLOADS_FOLDER))) return
      const turn = await folderTurn.take()
      if (!turn.ok) return log.warn({}, turn.failure.message)
      await removeStrays(modelsFolder, (id) => findDownloadable(id).ok)
      turn.value.giveBack()
      for (const { id, askedAs, running: wasRunning } of await unfinishedDownloads(modelsFolder)) {
        if (!wasRunning) continue
        const started = await inTurn('start', () => start(id, askedAs))
        if (!started.ok)
          log.warn({ model: askedAs, code: started.failure.code }, 'a download could not be resumed')
      }
    },

    /** Ends all downloads; after `stopping` the next start resumes them, after `interrupted` the next request does. */
    async stop(reason: Exclude<EndReason, 'canceled'> = 'stopping'): Promise<void> {
      stopping = true
      for (const one of running.values()) one.end(reason)
      await Promise.all([...running.values()].map((one) => one.over))
    },
  }
}

const activeDownload = (state: DownloadState): ActiveDownload => ({
  model_name: state.askedAs,
  status: state.status,
  started_at: state.startedAt.toISOString(),
  error: state.error,
  progress: percentOf(state),
  current: state.current,
  total: state.total,
  filename: state.file,
})
