// The server without its socket and its recognizer, in this process, opened by the same code in the same order.
// Requests go to its app; the transcriber is a stub.

import { join } from 'node:path'
import { prepareEmbedded } from '../../db/embedded-start.ts'
import { openDatabase } from '../../db/open.ts'
import { readConfig } from '../../src/config.ts'
import { superviseDatabase } from '../../src/database-supervisor.ts'
import { createMetrics } from '../../src/http/server/metrics-registry.ts'
import { createLiveSessions } from '../../src/http/transcribe/live/live-session.ts'
import { type CleanupStack, runCleanup } from '../../src/lib/cleanup-stack.ts'
import { createEventBus } from '../../src/lib/events.ts'
import { silentLog as log } from '../../src/lib/log.ts'
import { succeed } from '../../src/lib/result.ts'
import { createRecognition } from '../../src/recognition.ts'
import { openServices, type Services } from '../../src/services.ts'
import { createSettings } from '../../src/settings/settings-store.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import type { Transcriber } from '../../src/transcription/transcribe-recording.ts'

export type Opened = {
  fetch(path: string, init?: RequestInit): Promise<Response>
  stop(): Promise<void>
}

const embedded = prepareEmbedded()

/** @throws if the server would not start */
export async function openInProcess(
  dataFolder: string,
  transcribe: Transcriber['transcribe'],
): Promise<Opened> {
  const config = readConfig({ DICTATION_DATA_DIR: dataFolder })
  if (!config.ok) throw new Error(config.failure)
  const { port, modelsFolder } = config.value
  const folders = { data: dataFolder, inbox: join(dataFolder, 'inbox'), models: modelsFolder }
  const undo: CleanupStack = []
  const settings = createSettings({ log })
  const events = createEventBus()
  const recognition = await createRecognition({
    ...{ config: config.value, log, settings, events, readKey: () => undefined, undo },
    folders: {
      data: dataFolder,
      models: modelsFolder,
      work: join(dataFolder, 'work'),
      decoders: join(dataFolder, 'decoders'),
    },
  })
  const ground = {
    ...{
      config: { ...config.value, token: null },
      log,
      settings,
      events,
      folders,
      version: '0',
      runId: 'pages',
      store: createDataFolderStore(dataFolder),
      storeId: null,
    },
    ...recognition,
    ...{ transcriber: { transcribe }, metrics: createMetrics(), activeTranscriptions: { count: 0 } },
    liveSessions: createLiveSessions(),
    decodeAhead: { ...recognition.decodeAhead, begin() {} },
    role: 'server' as const,
    readKey: () => undefined,
  }
  let current: Services
  const keeper = superviseDatabase<Services>({
    openDatabase: (how) => openDatabase({ dataFolder, databaseUrl: null, embedded, ...how, log }),
    fill: (database, own) => openServices(ground, database, own),
    async show(parts) {
      current = parts
      return succeed(undefined)
    },
    begin: (parts) => parts.begin(),
    log,
  })
  const stop = async () => {
    await keeper.stop()
    await runCleanup(undo, log)
  }
  const started = await keeper.start().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  if (!started.ok) {
    await stop()
    throw new Error(started.failure.message)
  }
  const host = `127.0.0.1:${port}`
  return {
    stop,
    fetch(path, init) {
      const request = new Request(`http://${host}${path}`, init)
      request.headers.set('host', host)
      return current.fetch(request)
    },
  }
}
