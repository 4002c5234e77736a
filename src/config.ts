// Every setting the server takes from its environment: name, meaning, default, and what is a wrong value.
// Parsed once, by main.ts; nothing else reads the environment.

import { availableParallelism, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ENGINE_CHOICES, type EngineChoice } from './engine/create-engine.ts'
import { parseHostNames, parseOrigins } from './http/server/origins.ts'
import { fail, type Result, succeed } from './lib/result.ts'
import { PUBLIC_HUB, parseBaseUrl } from './models/hub-address.ts'
import { ownModelNames } from './models/installed.ts'
import { checkModelName } from './models/model-name.ts'

const USERS = ['own', 'any'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type Config = {
  port: number
  /** loopback addresses to listen on */
  hosts: string[]
  databaseUrl: string | null
  dataFolder: string
  modelsFolder: string
  token: string | null | KeptToken
  /** whose programs may call without the token: the server's own user's (and root's), or anybody's */
  users: (typeof USERS)[number]
  origins: string[]
  /** under which this computer may be asked besides localhost */
  hostNames: string[]
  engine: EngineChoice
  threads: number
  /** what hears where neither a request nor the settings name a model; null is the best one */
  model: string | null
  maxUploadBytes: number
  maxAudioSeconds: number
  maxQueue: number
  /** how long a stop waits for the requests under way */
  stopMs: number
  /** where models are downloaded from, unless the settings name another place */
  modelBaseUrl: string
  logLevel: (typeof LOG_LEVELS)[number]
}

/** A token of our own making, in a file of the data folder that scripts read. */
export type KeptToken = { keptIn: string }

type Environment = Readonly<Record<string, string | undefined>>
type Parse<T> = (value: string) => T | { wrong: string }
type Setting<T> = { name: string; meaning: string; fallback: string; parse: Parse<T> }

const LISTEN_ON = new Map([
  ['127.0.0.1', ['127.0.0.1']],
  ['::1', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
])

const wholeNumber =
  (least: number, most: number): Parse<number> =>
  (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most
      ? number
      : { wrong: `must be a whole number from ${least} to ${most}` }
  }

const oneOf =
  <T extends string>(choices: readonly T[]): Parse<T> =>
  (value) =>
    choices.find((choice) => choice === value) ?? { wrong: `must be one of ${choices.join(', ')}` }

/** A password with a bare % in it is none that could be read back. */
const isPercentEncoded = (value: string): boolean => !/%(?![0-9a-f]{2})/i.test(value)

function databaseUrl(value: string): string | null | { wrong: string } {
  if (value === '') return null
  return /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value) && isPercentEncoded(value)
    ? value
    : {
        wrong:
          'must look like postgres://user:password@localhost:5432/database, with %XX for what is special in it',
      }
}

/** In place of a token: one is made and kept. */
export const AUTO_TOKEN = 'auto'

/** What an Authorization header can carry (RFC 6750, b64token), and long enough not to be guessed. */
export const isToken = (value: string): boolean => /^[A-Za-z0-9\-._~+/]{16,512}=*$/.test(value)

/** Where the token of that data folder is kept. */
export const tokenFile = (dataFolder: string): string => join(dataFolder, 'token')

const token =
  (dataFolder: string) =>
  (value: string): Config['token'] | { wrong: string } => {
    if (value === '') return null
    if (value === AUTO_TOKEN) return { keptIn: tokenFile(resolve(dataFolder)) }
    return isToken(value)
      ? value
      : {
          wrong:
            'must be auto, or 16 to 512 letters, digits or -._~+/ (openssl rand -hex 32 makes a good one)',
        }
  }

function hubAddress(value: string): string | { wrong: string } {
  const parsed = parseBaseUrl(value)
  return parsed.ok ? parsed.value : { wrong: parsed.failure }
}

/** One that is published, or a file of the user's own that is here; whether the former is here, too, can change. */
const model =
  (modelsFolder: string) =>
  (value: string): string | null | { wrong: string } => {
    const known = checkModelName(value, ownModelNames(modelsFolder))
    return known.ok ? known.value : { wrong: `must name a model. ${known.failure.message}` }
  }

const folder: Parse<string> = (value) => (value.includes('\0') ? { wrong: 'is not a path' } : resolve(value))

/** Where the platform keeps a user's data. */
function userDataFolder(env: Environment): string {
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'Local Dictation')
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Local Dictation')
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'local-dictation')
}

/** Where recordings, the database and the token lie. */
export const dataFolderOf = (env: Environment): string => env.DICTATION_DATA_DIR || userDataFolder(env)

/** whisper.cpp gains nothing from more than eight threads on a window of 30 s. */
const defaultThreads = () => Math.min(8, availableParallelism())

function settingsFor(env: Environment) {
  const dataFolder = dataFolderOf(env)
  const modelsFolder = join(dataFolder, 'models')
  const setting = <T>(name: string, fallback: string, meaning: string, parse: Parse<T>): Setting<T> => ({
    name,
    meaning,
    fallback,
    parse,
  })
  return {
    port: setting('PORT', '17493', 'TCP port; 0 picks a free one', wholeNumber(0, 65_535)),
    hosts: setting(
      'HOST',
      'localhost',
      'loopback address to listen on, and to answer under: 127.0.0.1, ::1 or localhost for both',
      (v) =>
        LISTEN_ON.get(v) ?? {
          wrong: 'must be 127.0.0.1, ::1 or localhost: this server is for this computer only',
        },
    ),
    databaseUrl: setting('DATABASE_URL', '', 'a Postgres to use in place of the embedded one', databaseUrl),
    dataFolder: setting('DICTATION_DATA_DIR', dataFolder, 'where recordings and the database live', folder),
    modelsFolder: setting('DICTATION_MODELS_DIR', modelsFolder, 'where Whisper models lie', folder),
    model: setting(
      'DICTATION_MODEL',
      '',
      'the model that hears where neither a request nor the settings name one; not given: the best that is here',
      model(resolve(env.DICTATION_MODELS_DIR || modelsFolder)),
    ),
    token: setting(
      'DICTATION_TOKEN',
      '',
      'demanded from every client when set; auto makes one in the file token of the data folder',
      token(dataFolder),
    ),
    users: setting(
      'DICTATION_USERS',
      'own',
      'whose programs may call without the token: own (and root) or any, where the system tells',
      oneOf(USERS),
    ),
    origins: setting(
      'DICTATION_ORIGINS',
      '',
      'origins of web pages that may call, separated by commas; those of installed programs may',
      parseOrigins,
    ),
    hostNames: setting(
      'DICTATION_HOSTS',
      '',
      'names that programs on this computer may ask it by besides localhost, such as host.docker.internal',
      parseHostNames,
    ),
    engine: setting('DICTATION_ENGINE', 'auto', ENGINE_CHOICES.join(' or '), oneOf(ENGINE_CHOICES)),
    threads: setting(
      'DICTATION_THREADS',
      String(defaultThreads()),
      'threads for recognition',
      wholeNumber(1, 64),
    ),
    maxUploadMb: setting(
      'DICTATION_MAX_UPLOAD_MB',
      '2048',
      'largest recording, MiB',
      wholeNumber(1, 1_000_000),
    ),
    maxAudioHours: setting(
      'DICTATION_MAX_AUDIO_HOURS',
      '12',
      'longest recording, hours',
      wholeNumber(1, 240),
    ),
    maxQueue: setting('DICTATION_MAX_QUEUE', '1000', 'most jobs that may wait', wholeNumber(1, 1_000_000)),
    stopSeconds: setting(
      'DICTATION_STOP_SECONDS',
      '10',
      'how long a stop waits for requests under way, seconds',
      wholeNumber(1, 3600),
    ),
    modelBaseUrl: setting(
      'HF_ENDPOINT',
      PUBLIC_HUB,
      'where models are downloaded from, when asked',
      hubAddress,
    ),
    logLevel: setting('DICTATION_LOG_LEVEL', 'info', LOG_LEVELS.join(', '), oneOf(LOG_LEVELS)),
  }
}

/** Reads the settings; an empty variable counts as not given. On wrong values the failure is one line that names each of them. */
export function readConfig(env: Environment): Result<Config, string> {
  const settings = settingsFor(env)
  const faults: string[] = []
  const read = <T>({ name, fallback, parse }: Setting<T>): T => {
    const value = parse(env[name] || fallback)
    if (typeof value === 'object' && value !== null && 'wrong' in value) faults.push(`${name} ${value.wrong}`)
    return value as T
  }
  const { maxUploadMb, maxAudioHours, stopSeconds, ...rest } = settings
  const config: Config = {
    port: read(rest.port),
    hosts: read(rest.hosts),
    databaseUrl: read(rest.databaseUrl),
    dataFolder: read(rest.dataFolder),
    modelsFolder: read(rest.modelsFolder),
    model: read(rest.model),
    token: read(rest.token),
    users: read(rest.users),
    origins: read(rest.origins),
    hostNames: read(rest.hostNames),
    engine: read(rest.engine),
    threads: read(rest.threads),
    maxUploadBytes: read(maxUploadMb) * 1024 * 1024,
    maxAudioSeconds: read(maxAudioHours) * 3600,
    maxQueue: read(rest.maxQueue),
    stopMs: read(stopSeconds) * 1000,
    modelBaseUrl: read(rest.modelBaseUrl),
    logLevel: read(rest.logLevel),
  }
  return faults.length === 0 ? succeed(config) : fail(faults.join('; '))
}

/** Read when a setting names them, or by our scripts. */
const isUsedElsewhere = (name: string): boolean =>
  name.endsWith('_KEY') || ['DICTATION_URL', 'DICTATION_TRUST_SERVER'].includes(name)

/** A typing error in a name would otherwise switch a protection off without a word. */
export function unknownSettings(env: Environment): string[] {
  const known = new Set(Object.values(settingsFor(env)).map((setting) => setting.name))
  return Object.keys(env).filter(
    (name) => name.startsWith('DICTATION_') && !known.has(name) && !isUsedElsewhere(name),
  )
}

/** What `--help` prints. */
export function describeSettings(env: Environment): string {
  return Object.values(settingsFor(env))
    .map(({ name, meaning, fallback }) => `  ${name.padEnd(26)}${meaning}${fallback ? ` [${fallback}]` : ''}`)
    .join('\n')
}
