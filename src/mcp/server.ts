// The MCP server: all tools over one API, for either transport.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import packageJson from '../../package.json' with { type: 'json' }
import type { Api } from './api.ts'
import { addCaptureTools } from './capture-tools.ts'
import { addListenTool } from './listen.ts'
import { addServiceTools } from './service-tools.ts'
import { addDictionaryTool, addTextTools } from './text-tools.ts'
import { type AllowedFolders, addTranscribeTool } from './transcribe-file.ts'

export type McpOptions = {
  api: Api
  allowed: AllowedFolders
  /** whether tools may change stored data */
  allowChanges: boolean
  /** how the user allows changes, for messages: `--allow-changes` */
  howToAllowChanges: string
}

const ABOUT = `Local Dictation transcribes speech on this computer. Its captures are what the user dictated, recorded or imported; "listen" waits for the user's next dictation.`

export function createMcpServer({ api, allowed, allowChanges, howToAllowChanges }: McpOptions): McpServer {
  const readOnly = allowChanges
    ? ''
    : ` The tools only read; the user can allow add_to_dictionary with ${howToAllowChanges}.`
  const server = new McpServer(
    { name: 'local-dictation', title: 'Local Dictation', version: packageJson.version },
    { instructions: ABOUT + readOnly },
  )
  addListenTool(server, api)
  addCaptureTools(server, api)
  addTranscribeTool(server, api, allowed)
  addTextTools(server, api)
  addServiceTools(server, api)
  if (allowChanges) addDictionaryTool(server, api)
  return server
}
