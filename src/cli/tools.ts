// What an action works with.

import type { Environment } from '../config.ts'
import { namedAddress, openConnection, readTrust } from './connection/connect.ts'
import type { ServerClient } from './connection/server-client.ts'
import type { CommonOptions } from './option-specs.ts'
import { allOf, secondsOf } from './option-values.ts'
import type { Report } from './terminal/report.ts'

export type Tools = {
  /** Finds or starts the server at its first request. */
  server: ServerClient
  report: Report
  env: Environment
  /** --json */
  isJson: boolean
  /** --server, for an action that treats it differently */
  common: CommonOptions
}

type ToolsOptions = { env: Environment; report: Report; common: CommonOptions }

/** @throws UsageError with a line for each invalid option */
export function createTools({ env, report, common }: ToolsOptions): Tools {
  const openServer = () =>
    openConnection({
      env,
      report,
      ...allOf({
        named: () => namedAddress(env, common.server),
        isTrusted: () => readTrust(env, common),
        patienceSeconds: () => secondsOf('patience', common.patience, PATIENCE_SECONDS),
      }),
    })
  const isGiven = OPTIONS.some((name) => common[name] !== undefined)
  let server = isGiven ? openServer() : null
  return {
    report,
    env,
    common,
    isJson: common.json === true,
    // Wrong variables of the environment must not break a command that needs no server, such as help.
    get server() {
      server ??= openServer()
      return server
    },
  }
}

const OPTIONS = ['server', 'trust-server', 'patience'] as const
const PATIENCE_SECONDS = 600
