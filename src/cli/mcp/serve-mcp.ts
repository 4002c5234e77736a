// dictation mcp: the MCP server on standard input and output. Its tools call the HTTP API of the running server.

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer } from '../../mcp/server.ts'
import type { Given } from '../command.ts'
import { namedAddress, openConnection, readTrust } from '../connection/connect.ts'
import { secondsOf } from '../option-values.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'

/** A client gives up on a call after a minute. */
const PATIENCE_SECONDS = 10

type McpCommandOptions = { allow?: string[]; 'allow-changes'?: boolean }

/** Standard output is for the protocol alone: messages for the user go to standard error. */
export async function serveMcp(tools: Tools, { options }: Given<McpCommandOptions>): Promise<number> {
  const { env, report, common } = tools
  const api = openConnection({
    env,
    report,
    named: namedAddress(env, common.server),
    isTrusted: readTrust(env, common),
    patienceSeconds: secondsOf('patience', common.patience, PATIENCE_SECONDS),
    reconnects: true,
  })
  const folders = await Promise.all((options.allow ?? []).map(existingFolder))
  const server = createMcpServer({
    api,
    allowed: { folders, howToAllow: 'the option --allow FOLDER of dictation mcp' },
    allowChanges: options['allow-changes'] === true,
    howToAllowChanges: 'the option --allow-changes of dictation mcp',
  })
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  server.server.onclose = close
  // The transport does not notice that the client has gone.
  process.stdin.once('end', close)
  process.stdin.once('error', close)
  if (process.stdin.isTTY)
    report.note('Waiting for an MCP client on standard input; docs/mcp.md describes how to set one up.')
  await server.connect(new StdioServerTransport())
  await closed
  await server.close()
  return EXIT.done
}

async function existingFolder(given: string): Promise<string> {
  const folder = resolve(given)
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new UsageError(`--allow: there is no folder ${folder}.`)
  return folder
}
