import { type Static, Type } from '@sinclair/typebox'
import type { AudioDecoder } from '../../audio/decode.ts'
import type { DecodedAudio, DecodedAudioCache } from '../../audio/decoded-audio-cache.ts'
import { sampleAtByte, wavBytesOf, wavPartStream } from '../../audio/decoded-wav.ts'
import { audioKindOf, peaksPathOf } from '../../captures/capture-files.ts'
import type { CaptureAudio, Captures } from '../../captures/captures.ts'
import { createWaveforms, samplesOfOutline } from '../../captures/waveform.ts'
import { succeed } from '../../lib/result.ts'
import { oneOf } from '../../lib/schema.ts'
import type { Store } from '../../store/store.ts'
import { ticketInQuery } from '../fields/fields.ts'
import { failureResponse, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { strictObject, wholeNumber } from '../kernel/schema.ts'
import { fileResponse, type RequestedPart, requestedPart } from '../server/file-response.ts'
import { captureParams } from './schema.ts'

export type CaptureAudioDeps = {
  captures: Captures
  decodedSounds: DecodedAudioCache
  store: Pick<Store, 'folder'>
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

type WavDeps = Pick<CaptureAudioDeps, 'decodedSounds' | 'store'>

/**
 * Supports ranges: the stored waveform gives the number of samples, so a player gets its response while the rest is
 * still being decoded. Without a stored waveform, the whole recording is decoded first.
 */
async function wavResponse(
  request: Request,
  { decodedSounds, store }: WavDeps,
  { id, audio }: { id: string; audio: CaptureAudio },
): Promise<Response> {
  const { path, sha256 } = audio
  const kind = audioKindOf(path)
  if (kind === null)
    return problemResponse({ code: 'audio_gone', detail: 'The audio can no longer be read.' })
  const partOf = (samples: number) =>
    requestedPart(request, {
      size: wavBytesOf(samples),
      mediaType: 'audio/wav',
      etag: `"${sha256}.wav"`,
      downloadName: `capture_${id}.wav`,
    })
  const knownSamples = await samplesOfOutline(peaksPathOf(store.folder, id))
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

/** Waits for the first sample, so that undecodable audio returns a problem instead of a truncated response. */
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

export type CaptureWaveformDeps = {
  captures: Captures
  decoder: AudioDecoder
  store: Pick<Store, 'folder'>
}

const DEFAULT_POINTS = 800
const level = Type.Number({ minimum: -1, maximum: 1 })

export const WaveformSchema = strictObject(
  {
    points: Type.Integer({
      minimum: 0,
      description: 'number of points; fewer than requested only for very short recordings',
    }),
    peaks: Type.Array(Type.Array(level, { minItems: 2, maxItems: 2 }), {
      description: 'lowest and highest sample of each span, in order',
    }),
    duration_ms: Type.Integer({ minimum: 0 }),
    plays_alike: Type.Boolean({
      description:
        'false if a player may play the original file differently: another track, or without its silent gaps. `format=wav` returns the audio that was transcribed.',
    }),
  },
  { $id: 'Waveform' },
)

export const waveformRoute = (deps: CaptureWaveformDeps): Route => {
  const { captures, decoder } = deps
  const waveforms = createWaveforms({ captures, decoder, pathOf: (id) => peaksPathOf(deps.store.folder, id) })
  return defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/waveform',
      operationId: 'getCaptureWaveform',
      summary: 'Get the waveform of a recording',
      description: 'Computed once and stored, so it remains available after retention has deleted the audio.',
      tag: 'captures',
      params: captureParams,
      query: strictObject({
        points: Type.Optional(
          wholeNumber({
            description: 'number of points',
            minimum: 1,
            maximum: 4000,
            default: DEFAULT_POINTS,
          }),
        ),
      }),
      responses: ok(
        'The waveform',
        jsonContent(WaveformSchema, {
          points: 3,
          peaks: [
            [-0.1, 0.12],
            [-0.81, 0.79],
            [-0.02, 0.01],
          ],
          duration_ms: 2380,
          plays_alike: true,
        } satisfies Static<typeof WaveformSchema>),
      ),
      problems: [
        'capture_not_found',
        'audio_gone',
        'audio_too_long',
        'undecodable_audio',
        'shutting_down',
        'disk_full',
      ],
    },
    async (request, { params, query: { points = DEFAULT_POINTS } }) => {
      const waveform = await waveforms.of(params.id, { points, signal: request.signal })
      if (!waveform.ok) return failureResponse(waveform.failure)
      const { peaks, durationMs, playsAlike } = waveform.value
      return Response.json({
        points: peaks.length,
        peaks,
        duration_ms: durationMs,
        plays_alike: playsAlike,
      })
    },
  )
}
