// All settings from the environment: name, meaning, default and validation. Only main.ts reads the environment.

import { availableParallelism, homedir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { EngineChoice } from './engine/create-engine.ts'
import { COMPUTE_CHOICES, type ComputeChoice } from './engine/gpu/gpu-request.ts'
import { parseHostNames, parseOrigins } from './http/server/origins.ts'
import { fail, type Result, succeed } from './lib/result.ts'
import { checkModelName } from './models/catalogue.ts'
import { PUBLIC_HUB, parseBaseUrl } from './models/hub.ts'
import { ownModelNames } from './models/installed.ts'
import {
  faultsOfStore,
  parseEndpoint,
  parseStorePlace,
  type StoreAddress,
  storeAddress,
} from './store/store-address.ts'

const USERS = ['own', 'any'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type Config = {
  port: number
  /** loopback addresses to listen on */
  hosts: string[]
  /** TCP port of the Wyoming protocol; null: off */
  wyomingPort: number | null
  databaseUrl: string | null
  dataFolder: string
  /** where recordings are stored; null: in the data folder */
  store: StoreAddress | null
  /** limit of the local cache of a store */
  maxCacheBytes: number
  modelsFolder: string
  token: string | null | KeptToken
  /** whose programs may call without the token: those of the server's user (and root), or of any user */
  users: (typeof USERS)[number]
  origins: string[]
  /** allowed names of this computer besides localhost */
  hostNames: string[]
  engine: EngineChoice
  /** what computes models, unless the setting `engine` says otherwise */
  compute: ComputeChoice
  threads: number
  /** the model if neither the request nor the settings name one; null means the best installed model */
  model: string | null
  maxUploadBytes: number
  maxAudioSeconds: number
  maxQueue: number
  /** how long a stop waits for the requests in flight */
  stopMs: number
  /** where models are downloaded from, unless the settings name another address */
  modelBaseUrl: string
  /** folders whose files the tools of /mcp may transcribe */
  mcpFolders: string[]
  /** whether the tools of /mcp may change stored data */
  mcpChanges: boolean
  logLevel: (typeof LOG_LEVELS)[number]
}

/** A token that the server generates, in a file of the data folder that scripts read. */
export type KeptToken = { keptIn: string }

export type Environment = Readonly<Record<string, string | undefined>>
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

const MAX_PORT = 65_535

const portOrOff: Parse<number | null> = (value) => (value === '' ? null : wholeNumber(0, MAX_PORT)(value))

/** A password with a bare % cannot be decoded. */
const isPercentEncoded = (value: string): boolean => !/%(?![0-9a-f]{2})/i.test(value)

function databaseUrl(value: string): string | null | { wrong: string } {
  if (value === '') return null
  return /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value) && isPercentEncoded(value)
    ? value
    : {
        wrong:
          'must look like postgres://user:password@localhost:5432/database, with special characters written as %XX',
      }
}

/** Instead of a token: the server generates and stores one. */
export const AUTO_TOKEN = 'auto'

/** Valid in an Authorization header (RFC 6750, b64token), and too long to guess. */
export const isToken = (value: string): boolean => /^[A-Za-z0-9\-._~+/]{16,512}=*$/.test(value)

/** The file with the generated token. */
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

/** A published model, which need not be installed yet, or an existing file of the user. */
const model =
  (modelsFolder: string) =>
  (value: string): string | null | { wrong: string } => {
    const known = checkModelName(value, ownModelNames(modelsFolder))
    return known.ok ? known.value : { wrong: `must name a model. ${known.failure.message}` }
  }

const folder: Parse<string> = (value) => (value.includes('\0') ? { wrong: 'is not a path' } : resolve(value))

/** Absolute paths: the current folder of a server is rarely the one that the user means. */
const folders: Parse<string[]> = (value) => {
  const paths = value.split(delimiter).filter((path) => path !== '')
  return paths.every((path) => isAbsolute(path) && !path.includes('\0'))
    ? paths
    : { wrong: `must be absolute paths, separated by ${delimiter}` }
}

/** The platform's folder for user data. */
function userDataFolder(env: Environment): string {
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'Local Dictation')
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Local Dictation')
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'local-dictation')
}

/** The folder for recordings, the database and the token. */
export const dataFolderOf = (env: Environment): string => env.DICTATION_DATA_DIR || userDataFolder(env)

export const modelsFolderOf = (env: Environment): string =>
  env.DICTATION_MODELS_DIR || join(dataFolderOf(env), 'models')

/** whisper.cpp gains nothing from more than eight threads on a window of 30 s. */
const defaultThreads = () => Math.min(8, availableParallelism())

/** The same settings for a process that starts in another folder and without the rest of the environment. */
export function withAbsoluteFolders(env: Environment): Environment {
  const models = env.DICTATION_MODELS_DIR
  return {
    ...env,
    DICTATION_DATA_DIR: resolve(dataFolderOf(env)),
    ...(models && { DICTATION_MODELS_DIR: resolve(models) }),
  }
}

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
    port: setting('PORT', '17493', 'TCP port; 0 picks a free one', wholeNumber(0, MAX_PORT)),
    hosts: setting(
      'HOST',
      'localhost',
      'loopback address to listen on: 127.0.0.1, ::1 or localhost for both',
      (v) =>
        LISTEN_ON.get(v) ?? {
          wrong: 'must be 127.0.0.1, ::1 or localhost: this server is for this computer only',
        },
    ),
    wyomingPort: setting(
      'DICTATION_WYOMING',
      '',
      'TCP port for Home Assistant (Wyoming protocol), usually 10300; cannot be combined with a token',
      portOrOff,
    ),
    databaseUrl: setting('DATABASE_URL', '', 'a Postgres to use instead of the embedded one', databaseUrl),
    dataFolder: setting('DICTATION_DATA_DIR', dataFolder, 'folder for recordings and the database', folder),
    store: setting(
      'DICTATION_STORE',
      '',
      'where recordings are stored instead of the data folder, with DATABASE_URL: s3://bucket/prefix or a folder that all servers mount',
      parseStorePlace,
    ),
    cacheMb: setting(
      'DICTATION_CACHE_MB',
      '5120',
      'limit of its local cache, MiB',
      wholeNumber(0, 100_000_000),
    ),
    s3Key: setting('AWS_ACCESS_KEY_ID', '', 'key for an S3 bucket in DICTATION_STORE', String),
    s3Secret: setting('AWS_SECRET_ACCESS_KEY', '', 'its secret', String),
    s3Session: setting('AWS_SESSION_TOKEN', '', 'its session, for temporary keys', String),
    s3Region: setting('AWS_REGION', env.AWS_DEFAULT_REGION || 'us-east-1', 'region of the S3 server', String),
    s3Server: setting(
      'AWS_ENDPOINT_URL',
      env.AWS_ENDPOINT_URL_S3 || '',
      'if not Amazon, its address',
      parseEndpoint,
    ),
    modelsFolder: setting('DICTATION_MODELS_DIR', modelsFolder, 'folder for Whisper models', folder),
    model: setting(
      'DICTATION_MODEL',
      '',
      'model if neither the request nor the settings name one; by default the best installed model',
      model(resolve(modelsFolderOf(env))),
    ),
    token: setting(
      'DICTATION_TOKEN',
      '',
      'token that clients must send; auto generates one in the file token of the data folder',
      token(dataFolder),
    ),
    users: setting(
      'DICTATION_USERS',
      'own',
      'whose programs may call without the token: own (and root) or any; own needs a system that reports users',
      oneOf(USERS),
    ),
    origins: setting(
      'DICTATION_ORIGINS',
      '',
      'origins of web pages that may call, separated by commas; those of installed programs always may',
      parseOrigins,
    ),
    hostNames: setting(
      'DICTATION_HOSTS',
      '',
      'names of this computer that clients may use besides localhost, such as host.docker.internal',
      parseHostNames,
    ),
    engine: setting(
      'DICTATION_ENGINE',
      'cpu',
      'unless the setting engine is set: cpu; auto for large models on the GPU where a trial shows that it is right and faster; gpu for small ones, too; or shout for whisper.cpp',
      oneOf([...COMPUTE_CHOICES, 'shout'] as const),
    ),
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
    maxQueue: setting('DICTATION_MAX_QUEUE', '1000', 'most waiting jobs', wholeNumber(1, 1_000_000)),
    stopSeconds: setting(
      'DICTATION_STOP_SECONDS',
      '10',
      'how long a stop waits for requests in flight, seconds',
      wholeNumber(1, 3600),
    ),
    modelBaseUrl: setting(
      'HF_ENDPOINT',
      PUBLIC_HUB,
      'where models are downloaded from on request',
      hubAddress,
    ),
    mcpFolders: setting(
      'DICTATION_MCP_FOLDERS',
      '',
      `folders whose files MCP clients may transcribe, separated by ${delimiter}`,
      folders,
    ),
    mcpChanges: setting(
      'DICTATION_MCP_CHANGES',
      'no',
      'yes lets MCP clients add to the dictionary; otherwise they only read',
      oneOf(['no', 'yes']),
    ),
    logLevel: setting('DICTATION_LOG_LEVEL', 'info', LOG_LEVELS.join(', '), oneOf(LOG_LEVELS)),
  }
}

const NO_TOKEN_IN_WYOMING =
  'DICTATION_WYOMING cannot be combined with DICTATION_TOKEN, because clients of the Wyoming protocol cannot send a token; unset one of them'

/** Reads the settings; an empty variable counts as absent. The failure is one line that names every invalid value. */
export function readConfig(env: Environment): Result<Config, string> {
  const settings = settingsFor(env)
  const faults: string[] = []
  const read = <T>({ name, fallback, parse }: Setting<T>): T => {
    const value = parse(env[name] || fallback)
    if (typeof value === 'object' && value !== null && 'wrong' in value) faults.push(`${name} ${value.wrong}`)
    return value as T
  }
  const engine = read(settings.engine)
  const { maxUploadMb, maxAudioHours, stopSeconds, cacheMb, ...rest } = settings
  const config: Config = {
    port: read(rest.port),
    hosts: read(rest.hosts),
    wyomingPort: read(rest.wyomingPort),
    databaseUrl: read(rest.databaseUrl),
    dataFolder: read(rest.dataFolder),
    store: storeAddress(env.DICTATION_STORE, read(rest.store), {
      accessKeyId: read(rest.s3Key),
      secretAccessKey: read(rest.s3Secret),
      sessionToken: read(rest.s3Session) || null,
      region: read(rest.s3Region),
      endpoint: read(rest.s3Server),
    }),
    maxCacheBytes: read(cacheMb) * 1024 ** 2,
    modelsFolder: read(rest.modelsFolder),
    model: read(rest.model),
    token: read(rest.token),
    users: read(rest.users),
    origins: read(rest.origins),
    hostNames: read(rest.hostNames),
    ...(engine === 'shout' ? { engine, compute: 'cpu' } : { engine: 'auto', compute: engine }),
    threads: read(rest.threads),
    maxUploadBytes: read(maxUploadMb) * 1024 * 1024,
    maxAudioSeconds: read(maxAudioHours) * 3600,
    maxQueue: read(rest.maxQueue),
    stopMs: read(stopSeconds) * 1000,
    modelBaseUrl: read(rest.modelBaseUrl),
    mcpFolders: read(rest.mcpFolders),
    mcpChanges: read(rest.mcpChanges) === 'yes',
    logLevel: read(rest.logLevel),
  }
  if (config.wyomingPort !== null && config.token !== null) faults.push(NO_TOKEN_IN_WYOMING)
  faults.push(...faultsOfStore(config))
  return faults.length === 0 ? succeed(config) : fail(faults.join('; '))
}

/** The settings that the environment has, to pass them on to a service: keys of Amazon only if a store needs them. */
export const givenSettings = (env: Environment): [name: string, value: string][] =>
  Object.values(settingsFor(env)).flatMap(({ name }) => {
    const isMeant = !name.startsWith('AWS_') || env.DICTATION_STORE?.startsWith('s3://')
    return env[name] && isMeant ? [[name, env[name]]] : []
  })

/** Variables that a setting refers to, or that only our scripts read. */
const isUsedElsewhere = (name: string): boolean =>
  name.endsWith('_KEY') || ['DICTATION_URL', 'DICTATION_TRUST_SERVER'].includes(name)

/** Without this check a typing error in a name could silently turn off a protection. */
export function unknownSettings(env: Environment): string[] {
  const known = new Set(Object.values(settingsFor(env)).map((setting) => setting.name))
  return Object.keys(env).filter(
    (name) => name.startsWith('DICTATION_') && !known.has(name) && !isUsedElsewhere(name),
  )
}

export const settingDescriptions = (env: Environment) =>
  Object.values(settingsFor(env)).map(({ name, meaning, fallback }) => ({
    name,
    meaning,
    default: fallback || null,
  }))

/** What `--help` prints. */
export const describeSettings = (env: Environment): string =>
  settingDescriptions(env)
    .map(({ name, meaning, default: fallback }) => {
      const shown = fallback === null ? '' : ` [${fallback}]`
      return `  ${name.padEnd(26)}${meaning}${shown}`
    })
    .join('\n')
