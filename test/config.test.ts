import { expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSettings, givenSettings, readConfig, unknownSettings } from '../src/config.ts'

const read = (env: Record<string, string>) => {
  const config = readConfig({ DICTATION_DATA_DIR: '/data', ...env })
  if (!config.ok) throw new Error(config.failure)
  return config.value
}

const faultOf = (env: Record<string, string>) => {
  const config = readConfig(env)
  return config.ok ? 'none' : config.failure
}

test('an empty environment gives the documented defaults', () => {
  expect(read({})).toMatchObject({
    port: 17493,
    hosts: ['127.0.0.1', '::1'],
    wyomingPort: null,
    databaseUrl: null,
    dataFolder: '/data',
    store: null,
    maxCacheBytes: 5 * 1024 ** 3,
    modelsFolder: '/data/models',
    token: null,
    users: 'own',
    origins: [],
    hostNames: [],
    engine: 'auto',
    model: null,
    maxUploadBytes: 2048 * 1024 * 1024,
    maxAudioSeconds: 12 * 3600,
    maxQueue: 1000,
    stopMs: 10_000,
    mcpFolders: [],
    mcpChanges: false,
    logLevel: 'info',
  })
})

test('uses the platform folder for user data by default', () => {
  if (process.platform !== 'linux') return
  const config = readConfig({ XDG_DATA_HOME: '/home/ada/data' })
  expect(config.ok && config.value.dataFolder).toBe('/home/ada/data/local-dictation')
})

const REFUSED: [string, string][] = [
  ['PORT', '65536'],
  ['PORT', '1.5'],
  ['DICTATION_WYOMING', '65536'],
  ['DICTATION_WYOMING', 'yes'],
  ['HOST', '0.0.0.0'],
  ['HOST', 'toString'],
  ['HOST', '192.168.1.10'],
  ['DATABASE_URL', 'mysql://localhost/db'],
  ['DATABASE_URL', 'postgres://ada:100%@localhost/db'],
  ['DICTATION_STORE', 'recordings'],
  ['DICTATION_STORE', 's3://'],
  ['DICTATION_STORE', 's3://Bucket/prefix'],
  ['DICTATION_CACHE_MB', '-1'],
  ['AWS_ENDPOINT_URL', 'localhost:8333'],
  ['DICTATION_TOKEN', 'short'],
  ['DICTATION_TOKEN', 'a token with spaces in it'],
  ['DICTATION_ORIGINS', '*'],
  ['DICTATION_ORIGINS', 'http://localhost:5173/path'],
  ['DICTATION_ORIGINS', 'file:///home'],
  ['DICTATION_HOSTS', 'http://host.docker.internal'],
  ['DICTATION_HOSTS', '*.test'],
  ['DICTATION_MCP_FOLDERS', 'recordings'],
  ['DICTATION_MCP_CHANGES', 'true'],
  ['DICTATION_HOSTS', 'a.test:123456'],
  ['DICTATION_ENGINE', 'cuda'],
  ['DICTATION_MODEL', 'bse'],
  ['DICTATION_THREADS', '0'],
  ['DICTATION_MAX_UPLOAD_MB', '-1'],
  ['DICTATION_MAX_AUDIO_HOURS', '1e3'],
  ['DICTATION_MAX_QUEUE', 'many'],
  ['DICTATION_LOG_LEVEL', 'loud'],
]

for (const [name, value] of REFUSED) {
  test(`rejects ${name}="${value}" with one line that names the setting`, () => {
    expect(faultOf({ [name]: value })).toStartWith(`${name} must`)
    expect(faultOf({ [name]: value })).not.toContain('\n')
  })
}

test('reads origins and host names as comma-separated lists', () => {
  const { origins, hostNames } = read({
    DICTATION_ORIGINS: 'http://localhost:5173, null,file://',
    DICTATION_HOSTS: 'Host.Docker.Internal, dictation.test:8080',
  })
  expect(origins).toEqual(['http://localhost:5173', 'null', 'file://'])
  expect(hostNames).toEqual(['host.docker.internal', 'dictation.test:8080'])
})

test('accepts published models and the user’s own files, and suggests a name for a misspelt one', async () => {
  expect(read({ DICTATION_MODEL: 'openai/whisper-Base' }).model).toBe('base')
  expect(read({ DICTATION_MODEL: 'whisper-1' }).model).toBeNull()
  const folder = await mkdtemp(join(tmpdir(), 'dictation-own-'))
  await writeFile(join(folder, 'ggml-swiss-german.bin'), 'weights')
  const env = { DICTATION_MODELS_DIR: folder }
  expect(read({ ...env, DICTATION_MODEL: 'swiss-german' }).model).toBe('swiss-german')
  expect(faultOf({ ...env, DICTATION_MODEL: 'swiss-germn' })).toContain('did you mean "swiss-german"?')
  expect(faultOf({ DICTATION_MODEL: 'bse' })).toContain('did you mean "base"?')
  await rm(folder, { recursive: true })
})

test('stores the generated token in the data folder', () => {
  expect(read({ DICTATION_TOKEN: 'auto' }).token).toEqual({ keptIn: '/data/token' })
})

test('Wyoming is not opened beside a token, which its clients cannot send', () => {
  expect(read({ DICTATION_WYOMING: '10300' }).wyomingPort).toBe(10_300)
  for (const token of ['auto', 'a-token-of-more-than-sixteen-letters'])
    expect(faultOf({ DICTATION_WYOMING: '10300', DICTATION_TOKEN: token })).toStartWith(
      'DICTATION_WYOMING cannot be combined with DICTATION_TOKEN',
    )
})

test('treats an empty variable as absent', () => {
  expect(read({ PORT: '', HOST: '', DICTATION_MODELS_DIR: '', DICTATION_TOKEN: '' })).toEqual(read({}))
})

test('reports every invalid value at once', () => {
  const fault = faultOf({ PORT: 'x', DICTATION_THREADS: 'y' })
  expect(fault).toContain('PORT')
  expect(fault).toContain('DICTATION_THREADS')
})

test('reports misspelt settings', () => {
  const used = { DICTATION_TOKEN: 'y', DICTATION_LLM_KEY: 'z', DICTATION_URL: 'http://localhost', HOME: '/' }
  expect(unknownSettings({ DICTATION_TOKN: 'x', ...used })).toEqual(['DICTATION_TOKN'])
})

test('--help lists every setting with its default', () => {
  expect(describeSettings({})).toMatch(/DICTATION_MAX_QUEUE\s+most waiting jobs \[1000\]/)
})

const SHARED = { DATABASE_URL: 'postgres://localhost/db' }
const KEYS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }

test('reads where recordings are stored', () => {
  expect(read({ ...SHARED, DICTATION_STORE: '/mnt/recordings/' }).store?.at).toEqual({
    folder: '/mnt/recordings',
  })
  const bucket = { bucket: 'recordings', prefix: '', endpoint: null, region: 'us-east-1', sessionToken: null }
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' }
  expect(read({ ...SHARED, ...KEYS, DICTATION_STORE: 's3://recordings' }).store?.at).toEqual({
    ...bucket,
    ...keys,
  })
  const others = {
    AWS_ENDPOINT_URL_S3: 'http://localhost:8333',
    AWS_DEFAULT_REGION: 'eu-west-1',
    AWS_SESSION_TOKEN: 'session',
  }
  expect(read({ ...SHARED, ...KEYS, ...others, DICTATION_STORE: 's3://recordings/a/b/' }).store?.at).toEqual({
    ...{ bucket: 'recordings', prefix: 'a/b/', endpoint: 'http://localhost:8333', region: 'eu-west-1' },
    ...{ sessionToken: 'session', ...keys },
  })
})

test('refuses a store without a shared database, and a bucket without keys', () => {
  expect(faultOf({ DICTATION_STORE: '/mnt/recordings' })).toContain('DICTATION_STORE needs DATABASE_URL')
  expect(faultOf({ ...SHARED, DICTATION_STORE: 's3://recordings' })).toContain('needs AWS_ACCESS_KEY_ID')
})

test('passes keys of Amazon on to a service only with a bucket', () => {
  const names = (env: Record<string, string>) => givenSettings(env).map(([name]) => name)
  expect(names({ ...KEYS })).toEqual([])
  expect(names({ ...KEYS, DICTATION_STORE: 's3://recordings' })).toEqual([
    'DICTATION_STORE',
    ...Object.keys(KEYS),
  ])
})
