// Shared by all scripts for a running server: common options, the connection, and error reporting.

import type { ParseArgsConfig } from 'node:util'
import { dataFolderOf } from '../../src/config.ts'
import { bypassProxyLocally } from '../../src/lib/bypass-proxy.ts'
import { addressOf, DEFAULT_SERVER, noAddress } from './address.ts'
import { EXIT } from './exit.ts'
import { holderCheck, readTrust } from './holder.ts'
import { npmHint, takenByNpm } from './npm-options.ts'
import { type Given, type Options, readOptions } from './options.ts'
import { createReport, duration, type Report } from './report.ts'
import { createServerClient, type ServerClient, ServerFailure, type Waiting } from './server.ts'
import { tokenFor, whereTokenIsRead } from './token.ts'

export class UsageError extends Error {}

const COMMON = {
  server: { type: 'string' },
  'trust-server': { type: 'boolean' },
  patience: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

export const COMMON_HELP = `  --server URL          the server [${DEFAULT_SERVER}, or DICTATION_URL]
  --trust-server        skip the check that a program of yours listens at the address in
                        --server or DICTATION_URL (also DICTATION_TRUST_SERVER=yes)
  --patience SECONDS    how long to wait for a server that restarts or is busy [600]; a server
                        that is not running is reported at once
  --help                this text

If the server requires a token, it is read from DICTATION_TOKEN or from the file that the server created (auto).
Exit codes: 0 done, 1 some failed, 2 invalid options, 3 the server refused or is not running, 130 interrupted.`

export type Tools<O extends Options> = {
  options: Given<O>['values']
  positionals: string[]
  server: ServerClient
  report: Report
}

/** Runs a script and returns its exit code. @param hasResult whether stdout is for the result instead of events */
export async function runCommand<const O extends Options>(
  { options: own, help, hasResult = false }: { options: O; help: string; hasResult?: boolean },
  work: (tools: Tools<O>) => Promise<number>,
): Promise<number> {
  const report = hasResult
    ? createReport(process.stderr, process.stderr, process.stdout)
    : createReport(process.stdout, process.stderr)
  bypassProxyLocally(process.env)
  try {
    const options = { ...COMMON, ...own } as Options
    const given = readOptions(options)
    if (!given.ok) throw new UsageError(given.failure)
    const { values, positionals } = given.value
    const taken = takenByNpm(options, values)
    if (taken !== null) throw new UsageError(taken)
    if (values.help === true) {
      process.stdout.write(`${help}\n`)
      return EXIT.done
    }
    const named = values.server ?? (process.env.DICTATION_URL || undefined)
    const { url, isTrusted, patienceSeconds } = allOf({
      url: () => serverAt(String(named ?? DEFAULT_SERVER)),
      isTrusted: () => trustOf(values['trust-server'] === true, named !== undefined),
      patienceSeconds: () => secondsOf('patience', values.patience, 600),
    })
    const server = createServerClient({
      url,
      patienceSeconds,
      token: () => tokenFor(process.env, url),
      checkHolder: holderCheck(url, { isTrusted, dataFolder: dataFolderOf(process.env) }),
      onWaiting: (waiting) => report.waiting(sentenceOf(waiting)),
    })
    return await work({ options: values as Tools<O>['options'], positionals, server, report })
  } catch (error) {
    if (error instanceof UsageError) {
      report.say(`${error.message}${npmHint()}\nRun with --help for usage.`)
      return EXIT.usage
    }
    if (error instanceof ServerFailure) {
      report.event('failed', { code: error.code, message: error.message })
      const hint = error.code === 'unauthorized' ? ` ${whereTokenIsRead(process.env)}` : ''
      report.say(`${error.message}${hint}`)
      return EXIT.server
    }
    throw error
  }
}

/**
 * Evaluates several options, so that all errors are reported together.
 * @throws UsageError with a line for each invalid option
 */
export function allOf<T extends object>(parts: { [Name in keyof T]: () => T[Name] }): T {
  const faults: string[] = []
  const read = Object.entries<() => unknown>(parts).map(([name, part]) => {
    try {
      return [name, part()]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error.message)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return Object.fromEntries(read)
}

function trustOf(isGiven: boolean, isNamed: boolean): boolean {
  const trust = readTrust(isGiven, isNamed)
  if (!trust.ok) throw new UsageError(trust.failure)
  return trust.value
}

function serverAt(text: string): string {
  const url = addressOf(text)
  if (url !== null) return url
  throw new UsageError(noAddress(text))
}

function sentenceOf({ reason, waitedSeconds, patienceSeconds }: Waiting): { what: string; soFar: string } {
  const what = reason === 'away' ? 'The server stopped responding' : 'The server is busy'
  return {
    what: `${what}; waiting for up to ${duration(patienceSeconds)}.`,
    soFar: `${what}: waiting ${duration(waitedSeconds)} of ${duration(patienceSeconds)}`,
  }
}

function secondsOf(name: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback
  const seconds = Number(value)
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  throw new UsageError(`--${name} must be a number of seconds, not ${value}`)
}

/**
 * A day (the server takes its beginning in its own time zone), `2026-01-31T12:00:00Z`, or an age: `90m`, `24h`, `7d`.
 */
export function momentOption(name: string, value: string | undefined, now = new Date()): string | undefined {
  if (value === undefined) return undefined
  const [, count, unit] = /^(\d+)([mhd])$/.exec(value) ?? []
  if (count !== undefined) {
    const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd']
    return new Date(now.getTime() - Number(count) * unitMs).toISOString()
  }
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return value
  const moment = new Date(value)
  if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(moment.getTime())) return moment.toISOString()
  throw new UsageError(`--${name} must be a day such as 2026-01-31, a time, or an age such as 7d, 24h or 90m`)
}
