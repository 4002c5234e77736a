// GET /health and /health/filesystem. The former includes Voicebox's fields, because Voicebox's desktop app attaches to
// any server that has them; `service` distinguishes the two.

import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { CAPTURES_FOLDER } from '../../captures/capture-files.ts'
import type { RetentionKeeper } from '../../captures/retention-keeper.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SpeechDestination } from '../../engine/engine-route.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { diskSpace } from '../../lib/disk-space.ts'
import { nullable, oneOf } from '../../lib/schema.ts'
import { type BenchmarkResult, MEASURED_MODEL } from '../../models/benchmark.ts'
import { betterModelHint, tooSlowHint } from '../../models/catalogue.ts'
import type { ModelStore } from '../../models/store.ts'
import type { Store } from '../../store/store.ts'
import { warningsField } from '../fields/segment.ts'
import type { Connection } from '../kernel/connection.ts'
import { defineRoute, jsonContent, ok } from '../kernel/route.ts'
import { strictObject } from '../kernel/schema.ts'
import type { Users } from '../server/guard.ts'
import { SERVICE_NAME } from '../server/origins.ts'

export const maybeMb = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description })

/** Null if the system does not report it. */
async function spaceMb(folder: string): Promise<{ freeMb: number | null; totalMb: number | null }> {
  try {
    const { freeBytes, totalBytes } = await diskSpace(folder)
    return { freeMb: Math.floor(freeBytes / 1_000_000), totalMb: Math.floor(totalBytes / 1_000_000) }
  } catch {
    return { freeMb: null, totalMb: null }
  }
}

const DEADLINE_MS = 1000

/** Null if it failed or took too long. */
export async function inTime<T>(looking: Promise<T>): Promise<T | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), DEADLINE_MS)
  try {
    return await Promise.race([looking.catch(() => null), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Version of the wire contract; incremented with a change that could break a client. */
const API_VERSION = 1

export type HealthDeps = {
  config: { token: string | null; users: Users }
  version: string
  engine: Pick<Engine, 'info' | 'health'>
  speechDestination: () => SpeechDestination
  models: Pick<ModelStore, 'status' | 'choice'>
  speed: Pick<BenchmarkResult, 'current'>
  jobs: Pick<Jobs, 'counts'>
  retention: Pick<RetentionKeeper, 'warnings'>
  databaseKind: 'embedded' | 'external'
  databaseDamaged: AbortSignal
  folders: { data: string }
  store: Pick<Store, 'address'>
}

const maybeCount = nullable(Type.Integer({ minimum: 0 }), {
  description: 'null while the database does not answer',
})

const AccessSchema = strictObject({
  token_required: Type.Boolean({
    description: 'whether DICTATION_TOKEN is set, so that clients need a token',
  }),
  other_users: oneOf(['refused', 'need_token', 'allowed'], {
    description:
      'whether programs of other users of this computer may connect: `refused` (unless they send a token) requires that the system reports the user of a program',
  }),
  hint: nullable(Type.String(), { description: 'how to keep other users out' }),
})

const DefaultModelSchema = strictObject({
  model_name: nullable(Type.String(), {
    description: 'the model for requests that name none; null if no model is installed',
  }),
  chosen_by: nullable(oneOf(['setting', 'environment', 'size', 'speed']), {
    description: `\`setting\`: by \`stt_model\`; \`environment\`: by DICTATION_MODEL; \`size\`: it is the best installed model; \`speed\`: ${MEASURED_MODEL.name} is too slow for this computer`,
  }),
  real_time_factor: nullable(Type.Number({ minimum: 0 }), {
    description: `seconds that ${MEASURED_MODEL.name} needs for one second of speech on this computer, measured in the background after a start; null if it was not measured`,
  }),
})

export const HealthSchema = strictObject(
  {
    status: oneOf(['healthy', 'degraded'], {
      description: '`degraded` while the engine is stuck or the database does not answer',
    }),
    service: Type.Literal(SERVICE_NAME),
    version: Type.String(),
    api_version: Type.Integer({ minimum: 1 }),
    uptime_seconds: Type.Integer({ minimum: 0 }),
    model_loaded: Type.Boolean(),
    model_downloaded: Type.Boolean({ description: 'whether any model is installed' }),
    model_size: nullable(Type.String(), { description: 'the loaded model' }),
    default_model: DefaultModelSchema,
    gpu_available: Type.Boolean({ description: 'whether the loaded model is computed on a GPU' }),
    gpu_type: nullable(Type.String(), { description: 'the name of that GPU' }),
    backend_type: oneOf(['wasm', 'webgpu']),
    backend_variant: oneOf(['none', 'simd128']),
    engine: strictObject({
      name: Type.String(),
      version: Type.String(),
      threads: Type.Integer({ minimum: 1 }),
      simd: oneOf(['none', 'simd128']),
      device: oneOf(['cpu', 'gpu'], { description: 'what computes the loaded model' }),
      device_reason: Type.String({ description: 'why, for people' }),
    }),
    speech: strictObject({
      sent_to: nullable(Type.String(), {
        description:
          'origin of the server in the setting `engine_url`, which receives recordings; null: speech stays on this computer',
      }),
      problem: nullable(Type.String(), {
        description:
          'why that server failed last, in which case this computer transcribes; null if it did not',
      }),
    }),
    queue: strictObject({
      waiting: maybeCount,
      active: maybeCount,
      oldest_waiting_seconds: nullable(Type.Number({ minimum: 0 }), {
        description: 'null if no job is waiting',
      }),
    }),
    disk_free_mb: maybeMb('on the disk with the data'),
    database: oneOf(['embedded', 'external']),
    store: nullable(Type.String(), {
      description: 'where recordings are stored, as in DICTATION_STORE; null: in the data folder',
    }),
    database_state: oneOf(['ready', 'rebuilding'], {
      description:
        '`rebuilding` while a damaged database is rebuilt from the files; until then, requests that need it return 503',
    }),
    access: AccessSchema,
    hint: nullable(Type.String(), { description: 'how to get better transcripts' }),
    warnings: warningsField,
  },
  { $id: 'Health' },
)

export type WireHealth = Static<typeof HealthSchema>

export const healthRoute = (deps: HealthDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/health',
      operationId: 'getHealth',
      summary: 'Check the health of the server',
      description: 'Needs no token, so that a client can find out which program listens on this port.',
      tag: 'service',
      open: true,
      responses: ok(
        'The state of the engine, the queue, the disk and the database',
        jsonContent(HealthSchema, healthExample),
      ),
    },
    async (_request, { connection }) => Response.json(await healthOf(deps, connection)),
  )

async function healthOf(deps: HealthDeps, connection: Connection): Promise<Static<typeof HealthSchema>> {
  const { name, version, threads, simd, device } = deps.engine.info()
  const { state, loadedModel } = deps.engine.health()
  const speech = deps.speechDestination()
  const gpu = loadedModel === null ? null : (device?.gpu ?? null)
  const [queue, space, models] = await Promise.all([
    inTime(deps.jobs.counts()),
    spaceMb(deps.folders.data),
    deps.models.status(loadedModel),
  ])
  const installed = models.filter((model) => model.downloaded).map((model) => model.name)
  return {
    status: state === 'stuck' || queue === null ? 'degraded' : 'healthy',
    service: SERVICE_NAME,
    version: deps.version,
    api_version: API_VERSION,
    uptime_seconds: Math.floor(process.uptime()),
    model_loaded: loadedModel !== null,
    model_downloaded: installed.length > 0,
    model_size: loadedModel,
    default_model: defaultModelOf(deps),
    gpu_available: gpu !== null,
    gpu_type: gpu,
    backend_type: gpu === null ? 'wasm' : 'webgpu',
    backend_variant: simd,
    engine: {
      ...{ name, version, threads, simd },
      device: gpu === null ? 'cpu' : 'gpu',
      device_reason:
        device?.reason ??
        (loadedModel === null ? 'No model has been loaded yet.' : `${name} uses the CPU only.`),
    },
    speech: { sent_to: speech.sentTo, problem: speech.problem },
    queue: {
      waiting: queue?.waiting ?? null,
      active: queue?.active ?? null,
      oldest_waiting_seconds: secondsSince(queue?.oldestWaiting ?? null),
    },
    disk_free_mb: space.freeMb,
    database: deps.databaseKind,
    store: deps.store.address,
    database_state: deps.databaseDamaged.aborted ? 'rebuilding' : 'ready',
    access: accessOf(deps, connection),
    hint: slownessOf(deps) ?? betterModelHint(installed),
    warnings: deps.retention.warnings(),
  }
}

function defaultModelOf({ models, speed }: HealthDeps): Static<typeof DefaultModelSchema> {
  const choice = models.choice()
  return {
    model_name: choice.name,
    chosen_by: choice.name === null ? null : choice.chosenBy,
    real_time_factor: speed.current()?.realTimeFactor ?? null,
  }
}

function slownessOf({ models, speed }: HealthDeps): string | null {
  const [choice, measured] = [models.choice(), speed.current()]
  if (choice.name === null || choice.chosenBy !== 'speed' || measured === null) return null
  return tooSlowHint(MEASURED_MODEL.name, measured.realTimeFactor, choice.name)
}

function accessOf({ config }: HealthDeps, connection: Connection): Static<typeof AccessSchema> {
  const areKnown = config.users === 'own' && connection.user() !== 'unknown'
  const isDemanded = config.token !== null
  if (areKnown) return { token_required: isDemanded, other_users: 'refused', hint: null }
  if (isDemanded) return { token_required: true, other_users: 'need_token', hint: null }
  const why = config.users === 'any' ? 'DICTATION_USERS lets' : 'this system cannot identify them and lets'
  return {
    token_required: false,
    other_users: 'allowed',
    hint: `Programs of other users of this computer can read and change everything: ${why} them in. A token (DICTATION_TOKEN) keeps them out.`,
  }
}

/** Never negative, even if the clock was set back. */
const secondsSince = (moment: Date | null): number | null =>
  moment === null ? null : Math.max(0, Math.round((Date.now() - moment.getTime()) / 1000))

const healthExample: Static<typeof HealthSchema> = {
  status: 'healthy',
  service: SERVICE_NAME,
  version: '0.1.0',
  api_version: API_VERSION,
  uptime_seconds: 3600,
  model_loaded: true,
  model_downloaded: true,
  model_size: 'base-q5_1',
  default_model: { model_name: 'base-q5_1', chosen_by: 'size', real_time_factor: 0.07 },
  gpu_available: false,
  gpu_type: null,
  backend_type: 'wasm',
  backend_variant: 'simd128',
  engine: {
    ...{ name: 'whisper-simd', version: '1', threads: 4, simd: 'simd128' },
    ...{ device: 'cpu', device_reason: 'The engine is set to cpu.' },
  },
  speech: { sent_to: null, problem: null },
  queue: { waiting: 0, active: 0, oldest_waiting_seconds: null },
  disk_free_mb: 51_200,
  database: 'embedded',
  store: null,
  database_state: 'ready',
  access: { token_required: false, other_users: 'refused', hint: null },
  hint: betterModelHint([]),
  warnings: [],
}

export const FilesystemSchema = strictObject(
  {
    healthy: Type.Boolean({
      description: 'false below 500 MB of free space, or if a folder is not writable',
    }),
    disk_free_mb: maybeMb('on the disk with the data'),
    disk_total_mb: maybeMb('on the disk with the data'),
    directories: Type.Array(
      strictObject({
        path: Type.String(),
        exists: Type.Boolean(),
        writable: Type.Boolean(),
        error: nullable(Type.String(), { description: 'what is wrong' }),
      }),
    ),
  },
  { $id: 'FilesystemHealth' },
)

const MIN_FREE_MB = 500

export type FilesystemDeps = { folders: { data: string; inbox: string; models: string } }

export const filesystemHealthRoute = ({ folders }: FilesystemDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/health/filesystem',
      operationId: 'getFilesystemHealth',
      summary: 'Check disk space and folders',
      description: 'Checks the disk that holds the data, and each folder the server writes to.',
      tag: 'service',
      responses: ok(
        'The state of the disk and the folders',
        jsonContent(FilesystemSchema, filesystemExample),
      ),
    },
    async () => {
      const { freeMb, totalMb } = await spaceMb(folders.data)
      const directories = await Promise.all(
        [folders.data, join(folders.data, CAPTURES_FOLDER), folders.inbox, folders.models].map(checkFolder),
      )
      const healthy = (freeMb ?? 0) >= MIN_FREE_MB && directories.every(({ writable }) => writable)
      return Response.json({ healthy, disk_free_mb: freeMb, disk_total_mb: totalMb, directories })
    },
  )

/** A missing folder is created with its first file, so its parent must be writable. */
async function checkFolder(path: string) {
  const exists = await isAllowed(path, constants.F_OK)
  const writable = await isAllowed(exists ? path : dirname(path), constants.W_OK)
  return { path, exists, writable, error: writable ? null : 'This folder cannot be written to.' }
}

const isAllowed = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )

const filesystemExample: Static<typeof FilesystemSchema> = {
  healthy: true,
  disk_free_mb: 51_200,
  disk_total_mb: 256_000,
  directories: [
    { path: '/home/ada/.local/share/local-dictation/captures', exists: true, writable: true, error: null },
  ],
}
