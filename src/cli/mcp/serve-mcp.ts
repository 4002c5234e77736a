// dictation mcp: the MCP server on standard input and output. Its tools call the HTTP API of the running server.

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer } from '../../mcp/server.ts'
import type { Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'

type McpCommandOptions = { allow?: string[]; 'allow-changes'?: boolean }

/** Standard output is for the protocol alone: messages for the user go to standard error. */
export async function serveMcp(tools: Tools, { options }: Given<McpCommandOptions>): Promise<number> {
  const folders = await Promise.all((options.allow ?? []).map(existingFolder))
  const server = createMcpServer({
    api: tools.server,
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
    tools.report.note('Waiting for an MCP client on standard input; docs/mcp.md describes how to set one up.')
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
