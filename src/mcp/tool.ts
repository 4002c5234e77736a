// Adds a tool to an MCP server: checks its result against its schema, and turns failures into tool errors.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod/v4'
import { asSentence } from '../lib/did-you-mean.ts'

export type ToolProgress = { progress: number; total: number; message: string }

export type ToolCall = {
  /** aborts when the client cancels the call or disconnects */
  signal: AbortSignal
  /** does nothing unless the client requested progress */
  report(progress: ToolProgress): void
}

export type Tool<I extends z.ZodRawShape, O extends z.ZodRawShape> = {
  name: string
  title: string
  description: string
  input: I
  output: O
  /** whether it changes stored data */
  changes?: boolean
  /** may return more than the output schema, which selects what the client receives */
  run(args: z.output<z.ZodObject<I>>, call: ToolCall): Promise<z.input<z.ZodObject<O>>>
}

export function addTool<I extends z.ZodRawShape, O extends z.ZodRawShape>(
  server: McpServer,
  { name, title, description, input, output, changes = false, run }: Tool<I, O>,
): void {
  const result = z.object(output)
  const config = {
    title,
    description,
    // An unknown argument is a mistake that the client should see.
    inputSchema: z.strictObject(input) as z.ZodObject,
    outputSchema: result as z.ZodObject,
    annotations: { readOnlyHint: !changes, destructiveHint: false, openWorldHint: false },
  }
  server.registerTool(name, config, async (args, { signal, _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken
    function report(progress: ToolProgress): void {
      if (progressToken === undefined || signal.aborted) return
      const params = { progressToken, ...progress }
      // Fails if the client has disconnected, which also aborts the call.
      sendNotification({ method: 'notifications/progress', params }).catch(() => {})
    }
    try {
      const found = result.parse(await run(args as z.output<z.ZodObject<I>>, { signal, report }))
      return {
        content: [{ type: 'text', text: JSON.stringify(found) }],
        structuredContent: found as Record<string, unknown>,
      }
    } catch (error) {
      return { content: [{ type: 'text', text: failureText(error) }], isError: true }
    }
  })
}

/** The server's code, so that a program can act on it, and its message and hint, so that a user can. */
function failureText(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return `internal_error: ${asSentence(String(error))}`
  const hint = 'hint' in error && typeof error.hint === 'string' ? ` ${error.hint}` : ''
  return `${error.code}: ${error.message}${hint}`
}
