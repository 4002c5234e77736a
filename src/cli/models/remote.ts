// Downloads and lists models through the running server's public API and its progress stream.

import type { WireModel, WireProgress } from '../../http/models/schema.ts'
import { type ServerClient, ServerFailure } from '../connection/server-client.ts'
import type { DownloadOutcome, OfferedModel, Progress, Source } from './source.ts'

export function serverModels(server: ServerClient): Source {
  return {
    list: () => list(server),
    async get(name, onProgress): Promise<DownloadOutcome> {
      try {
        type Started = { status: string; model_name: string; progress_url: string }
        const started = await server.request<Started>('POST', '/models/download', {
          json: { model_name: name },
        })
        if (started.status === 'already_here') return { status: 'already_here', name: started.model_name }
        const last = await follow(server.events('GET', started.progress_url), onProgress)
        if (last?.status === 'complete') return { status: 'complete', name: started.model_name }
        if (last === null)
          return {
            status: 'failed',
            message: 'The server stopped; it resumes the download on its next start.',
          }
        return { status: 'failed', message: last.error ?? 'The download was cancelled.' }
      } catch (error) {
        if (!(error instanceof ServerFailure)) throw error
        return { status: 'refused', code: error.code, message: error.message }
      }
    },
    interrupt: async () =>
      'The server continues the download (POST /models/download/cancel cancels it). Run the same command to follow it again.',
  }
}

async function list(server: ServerClient): Promise<OfferedModel[]> {
  const { models } = await server.request<{ models: WireModel[] }>('GET', '/models/status')
  return models
    .filter(({ alias_of }) => alias_of === null)
    .map((model) => ({
      name: model.model_name,
      displayName: model.display_name,
      downloaded: model.downloaded,
      recommended: model.recommended,
      sizeMb: model.size_mb ?? model.expected_size_mb,
    }))
}

/** The last event; null if the stream ended before the download did. */
async function follow(
  events: ReturnType<ServerClient['events']>,
  onProgress: (progress: Progress) => void,
): Promise<WireProgress | null> {
  try {
    for await (const { data } of events) {
      const event = JSON.parse(data) as WireProgress
      if (event.status !== 'downloading' && event.status !== 'verifying') return event
      onProgress({
        status: event.status,
        current: event.current,
        total: event.total,
        bytesPerSecond: event.bytes_per_second,
        etaSeconds: event.eta_seconds,
      })
    }
  } catch {
    // Handled as a stream that ends too early.
  }
  return null
}
