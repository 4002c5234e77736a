// Finds the server of this user, or starts one, and makes the client of its API.

import { dataFolderOf, type Environment } from '../../config.ts'
import { SERVICE_NAME } from '../../http/server/origins.ts'
import type { CommonOptions } from '../option-specs.ts'
import { startInBackground } from '../server/background.ts'
import { holderOf } from '../server/state.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import { duration, type Report } from '../terminal/report.ts'
import { validConfig } from '../valid-config.ts'
import { addressOf, noAddress } from './address.ts'
import { holderCheck } from './holder.ts'
import { tokenFor } from './sent-token.ts'
import {
  createServerClient,
  type ServerClient,
  type ServerConnection,
  type Waiting,
} from './server-client.ts'

export type ConnectionOptions = {
  env: Environment
  report: Report
  /** the address in --server or DICTATION_URL: no server is started then */
  named: string | null
  isTrusted: boolean
  patienceSeconds: number
  /** see ServerClientOptions */
  reconnects?: boolean
}

export function openConnection({
  env,
  report,
  named,
  isTrusted,
  patienceSeconds,
  reconnects = false,
}: ConnectionOptions): ServerClient {
  const at = (url: string): ServerConnection => ({
    url,
    token: () => tokenFor(env, url),
    checkHolder: holderCheck(url, { isTrusted, dataFolder: dataFolderOf(env) }),
  })
  return createServerClient({
    connect: async () => at(named ?? (await runningServer(env)) ?? (await startServer(env, report))),
    patienceSeconds,
    reconnects,
    onWaiting: (waiting) => report.waiting(sentenceOf(waiting)),
  })
}

/** The address in --server or DICTATION_URL; null if there is none. @throws UsageError */
export function namedAddress(env: Environment, given: string | undefined): string | null {
  const text = given ?? (env.DICTATION_URL || null)
  if (text === null) return null
  const url = addressOf(text)
  if (url === null) throw new UsageError(noAddress(given === undefined ? 'DICTATION_URL' : '--server', text))
  return url
}

/** Whether the user trusts the address. @throws UsageError if none was named */
export function readTrust(env: Environment, given: Pick<CommonOptions, 'server' | 'trust-server'>): boolean {
  const isTrusted = given['trust-server'] === true || env.DICTATION_TRUST_SERVER === 'yes'
  if (isTrusted && given.server === undefined && !env.DICTATION_URL)
    throw new UsageError(
      `${given['trust-server'] ? '--trust-server' : 'DICTATION_TRUST_SERVER'} requires the trusted address in --server or DICTATION_URL.`,
    )
  return isTrusted
}

/** The address that the server of the data folder announced; null if none runs on it, or it does not respond. */
export async function runningServer(env: Environment): Promise<string | null> {
  const { dataFolder } = validConfig(env)
  const url = (await holderOf(dataFolder))?.url
  return url && (await isOwnServer(url, dataFolder)) ? url : null
}

/** In the background. @returns its address @throws CommandFailure */
export async function startServer(env: Environment, report: Report): Promise<string> {
  const { dataFolder, port } = validConfig(env)
  const usual = `http://127.0.0.1:${port}`
  const isFree = (await holderOf(dataFolder)) === null
  if (isFree && port !== 0 && (await isOwnServer(usual, dataFolder)))
    throw new CommandFailure(`The server at ${usual} uses another data folder than ${dataFolder}.`, {
      code: 'other_data_folder',
      exitCode: EXIT.server,
      hint: `Name that server with --server ${usual}, or set PORT to another port for a second server.`,
    })
  return startInBackground(env, report)
}

/** Whether a Local Dictation server of this user responds there. */
const isOwnServer = async (url: string, dataFolder: string): Promise<boolean> =>
  URL.canParse(url) &&
  (await holderCheck(url, { isTrusted: false, dataFolder })()) === null &&
  (await isServer(url))

const HEALTH_DEADLINE_MS = 3000

async function isServer(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/health', url), { signal: AbortSignal.timeout(HEALTH_DEADLINE_MS) })
    const health = (await response.json()) as { service?: unknown }
    return health.service === SERVICE_NAME
  } catch {
    return false
  }
}

function sentenceOf({ reason, waitedSeconds, patienceSeconds }: Waiting): { what: string; soFar: string } {
  const what = reason === 'away' ? 'The server stopped responding' : 'The server is busy'
  return {
    what: `${what}; waiting for up to ${duration(patienceSeconds)}.`,
    soFar: `${what}: waiting ${duration(waitedSeconds)} of ${duration(patienceSeconds)}`,
  }
}
