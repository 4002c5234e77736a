import { Type } from '@sinclair/typebox'
import type { DecodedAudio, DecodedAudioCache } from '../../audio/decoded-audio-cache.ts'
import { sampleAtByte, wavBytesOf, wavPartStream } from '../../audio/decoded-wav.ts'
import { audioKindOf, peaksPathOf } from '../../captures/capture-files.ts'
import type { CaptureAudio, Captures } from '../../captures/captures.ts'
import { samplesOfOutline } from '../../captures/waveform.ts'
import { succeed } from '../../lib/result.ts'
import { oneOf } from '../../lib/schema.ts'
import { failureResponse } from '../contract/failure.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { ticketInQuery } from '../fields/ticket.ts'
import { fileResponse, type RequestedPart, requestedPart } from '../server/file-response.ts'
import { captureParams } from './address.ts'

export type CaptureAudioDeps = {
  captures: Captures
  decodedSounds: DecodedAudioCache
  folders: { data: string }
}

export const audioRoute = (deps: CaptureAudioDeps): Route => {
  const { captures } = deps
  return defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/audio',
      operationId: 'getCaptureAudio',
      summary: 'Get the recording',
      description:
        'Returns the original bytes with their media type, or a range of them. With `format=wav` it returns the recording decoded to 16 kHz mono WAV, also by range.',
      tag: 'captures',
      params: captureParams,
      query: strictObject({
        format: Type.Optional(oneOf(['original', 'wav'], { default: 'original' })),
        ticket: ticketInQuery,
      }),
      headers: {
        Range: 'one range of bytes',
        'If-None-Match': 'ETag of a cached copy',
        'If-Range': 'ETag of a cached copy',
      },
      responses: {
        200: {
          description: 'The whole recording',
          headers: { ETag: 'identifies the content', 'Accept-Ranges': 'bytes' },
          content: { 'audio/*': {} },
        },
        206: { description: 'The requested range', content: { 'audio/*': {} } },
        304: { description: 'The cached copy is still current' },
      },
      problems: [
        'capture_not_found',
        'audio_gone',
        'audio_too_long',
        'range_not_satisfiable',
        'undecodable_audio',
        'shutting_down',
        'disk_full',
      ],
    },
    async (request, { params, query }) => {
      const found = await captures.audioFile(params.id)
      if (!found.ok) return failureResponse(found.failure)
      if (query.format === 'wav') return wavResponse(request, deps, { id: params.id, audio: found.value })
      const { path, type: mediaType, sha256 } = found.value
      const downloadName = `capture_${params.id}${path.slice(path.lastIndexOf('.'))}`
      const response = await fileResponse(request, { path, mediaType, sha256, downloadName })
      return (
        response ??
        problemResponse({ code: 'audio_gone', detail: 'The audio was removed while it was being requested.' })
      )
    },
  )
}

type WavDeps = Pick<CaptureAudioDeps, 'decodedSounds' | 'folders'>

/**
 * Supports ranges: the stored waveform gives the number of samples, so a player gets its response while the rest is
 * still being decoded. Without a stored waveform, the whole recording is decoded first.
 */
async function wavResponse(
  request: Request,
  { decodedSounds, folders }: WavDeps,
  { id, audio }: { id: string; audio: CaptureAudio },
): Promise<Response> {
  const { path, sha256 } = audio
  const kind = audioKindOf(path)
  if (kind === null)
    return problemResponse({
      code: 'audio_gone',
      detail: 'The audio file has an unknown format and cannot be read.',
    })
  const partOf = (samples: number) =>
    requestedPart(request, {
      size: wavBytesOf(samples),
      mediaType: 'audio/wav',
      etag: `"${sha256}.wav"`,
      downloadName: `capture_${id}.wav`,
    })
  const knownSamples = await samplesOfOutline(peaksPathOf(folders.data, id))
  const early = knownSamples === null ? null : partOf(knownSamples)
  if (early instanceof Response) return early

  const sound = decodedSounds.open({ path, kind })
  request.signal.addEventListener('abort', sound.leave)
  const begun = await beginWav(sound, knownSamples, partOf)
  // From here on the stream itself is cancelled when the client disconnects.
  request.signal.removeEventListener('abort', sound.leave)
  if (begun instanceof Response) {
    sound.leave()
    return begun
  }
  const { samples, part } = begun
  const body = wavPartStream(sound, { samples, startByte: part.start, endByte: part.end })
  return new Response(body, { status: part.status, headers: part.headers })
}

/** Waits for the first sample, so that undecodable audio returns a problem instead of a response that breaks off. */
async function beginWav(
  sound: DecodedAudio,
  knownSamples: number | null,
  partOf: (samples: number) => RequestedPart | Response,
): Promise<{ samples: number; part: RequestedPart } | Response> {
  const counted = knownSamples === null ? await sound.count() : succeed(knownSamples)
  if (!counted.ok) return failureResponse(counted.failure)
  const part = partOf(counted.value)
  if (part instanceof Response) return part
  const reached = await sound.reach(sampleAtByte(part.start) + 1)
  return reached.ok ? { samples: counted.value, part } : failureResponse(reached.failure)
}
