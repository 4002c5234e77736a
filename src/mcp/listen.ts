// The tool `listen`: waits for the user's next dictation, from any client of the server, and returns its text.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod/v4'
import { type Api, ApiFailure } from './api.ts'
import { addTool, type ToolCall } from './tool.ts'

/** Below the 60 s after which many clients give up on a tool call. */
const DEFAULT_SECONDS = 50
const MAX_SECONDS = 600
/** Clients that reset their time limit at each progress notification need one well within it. */
const PROGRESS_MS = 5000

const dictationShape = {
  status: z.enum(['received', 'timeout']),
  text: z.string().nullable().describe('null after a timeout: call listen again to continue waiting'),
  capture_id: z.string().nullable(),
  language: z.string().nullable(),
  duration_ms: z.number().nullable(),
  app_name: z.string().nullable().describe('the application that the user dictated into'),
}

type Received = z.output<z.ZodObject<typeof dictationShape>>

type Dictation = {
  id: string
  source: string
  status: string
  error: { code: string; message: string } | null
  text: string
  detected_language: string | null
  duration_ms: number | null
  app_name: string | null
}

const TIMEOUT: Received = {
  ...{ status: 'timeout', text: null, capture_id: null },
  ...{ language: null, duration_ms: null, app_name: null },
}

export function addListenTool(server: McpServer, api: Api): void {
  addTool(server, {
    name: 'listen',
    title: "Wait for the user's next dictation",
    description:
      'Waits until the user has dictated something, on the page, with the hotkey or in any other client that stores it, and returns the text. Use it to let the user answer by voice. A dictation that began before the call counts if it ends after it. One without speech does not count.',
    input: {
      timeout_seconds: z
        .int()
        .min(1)
        .max(MAX_SECONDS)
        .default(DEFAULT_SECONDS)
        .describe('how long to wait; then the status is "timeout"'),
    },
    output: dictationShape,
    run: ({ timeout_seconds }, call) => waitForDictation(api, timeout_seconds, call),
  })
}

async function waitForDictation(api: Api, seconds: number, { signal, report }: ToolCall): Promise<Received> {
  const timeout = AbortSignal.timeout(seconds * 1000)
  const ending = AbortSignal.any([signal, timeout])
  const begunAt = performance.now()
  let message = 'Waiting for a dictation.'
  const reportNow = () => {
    const progress = Math.min(seconds, Math.round((performance.now() - begunAt) / 1000))
    report({ progress, total: seconds, message })
  }
  let isReady = false
  const timer = setInterval(reportNow, PROGRESS_MS)
  try {
    const onBegun = () => {
      message = 'Transcribing a dictation.'
      reportNow()
    }
    const onReady = () => {
      isReady = true
      reportNow()
    }
    const dictation = await nextDictation(api, ending, { onReady, onBegun })
    return {
      status: 'received',
      text: dictation.text,
      capture_id: dictation.id,
      language: dictation.detected_language,
      duration_ms: dictation.duration_ms,
      app_name: dictation.app_name,
    }
  } catch (error) {
    // The events end with an error of their own when the signal aborts.
    if (!timeout.aborted || signal.aborted) throw error
    if (isReady) return TIMEOUT
    throw new ApiFailure('unreachable', `The server did not respond within ${seconds} s. Call listen again.`)
  } finally {
    clearInterval(timer)
  }
}

type Steps = { onReady: () => void; onBegun: () => void }

/** @throws also when the signal aborts */
async function nextDictation(api: Api, signal: AbortSignal, { onReady, onBegun }: Steps): Promise<Dictation> {
  /** Captures that were created since the call: a later change of an older one is no new dictation. */
  const fresh = new Set<string>()
  for await (const { event, data } of api.events('GET', '/events', { signal })) {
    if (event === 'ready') onReady()
    if (event !== 'capture.created' && event !== 'capture.updated') continue
    const { capture_id: id, status } = JSON.parse(data) as { capture_id: string; status: string }
    if (event === 'capture.created') fresh.add(id)
    if (!fresh.has(id)) continue
    const isOver = status === 'completed' || status === 'failed' || status === 'canceled'
    if (!isOver && event !== 'capture.created') continue
    const dictation = await dictationOf(api, id, signal)
    if (dictation === null) fresh.delete(id)
    else if (!isOver) onBegun()
    else if (status === 'failed') throw failedDictation(dictation)
    else if (status === 'completed' && dictation.text !== '') return dictation
    else fresh.delete(id)
  }
  throw new ApiFailure('shutting_down', 'The server is stopping. Call listen again when it runs.')
}

/** Null if it is not a dictation, or is already deleted. */
async function dictationOf(api: Api, id: string, signal: AbortSignal): Promise<Dictation | null> {
  try {
    const capture = await api.request<Dictation>('GET', `/captures/${id}`, { signal })
    return capture.source === 'dictation' ? capture : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'capture_not_found') return null
    throw error
  }
}

const failedDictation = ({ id, error }: Dictation): ApiFailure =>
  new ApiFailure(
    error?.code ?? 'dictation_failed',
    `The user dictated, but the recording could not be transcribed (capture ${id}). ${error?.message ?? ''}`.trim(),
  )
