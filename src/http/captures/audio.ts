// GET and HEAD /captures/{id}/audio: the recording as it came, or as 16 kHz mono WAV.
// Ranges and ETags are server/file-response.ts, the bytes of the WAV audio/decoded-wav.ts.

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
import { type AskedPart, fileResponse, partAsked } from '../server/file-response.ts'
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
        'The original bytes with their type, in whole or by range; with `format=wav` likewise decoded to 16 kHz mono WAV.',
      tag: 'captures',
      params: captureParams,
      query: strictObject({
        format: Type.Optional(oneOf(['original', 'wav'], { default: 'original' })),
        ticket: ticketInQuery,
      }),
      headers: { Range: 'one range of bytes', 'If-None-Match': 'the ETag of a copy', 'If-Range': 'likewise' },
      responses: {
        200: {
          description: 'The whole recording',
          headers: { ETag: 'of its content', 'Accept-Ranges': 'bytes' },
          content: { 'audio/*': {} },
        },
        206: { description: 'The part that was asked for', content: { 'audio/*': {} } },
        304: { description: 'The copy is still right' },
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
      return response ?? problemResponse({ code: 'audio_gone', detail: 'The audio was removed just now.' })
    },
  )
}

type WavDeps = Pick<CaptureAudioDeps, 'decodedSounds' | 'folders'>

/**
 * In ranges, too: how many samples there are is known from the outline, so that a player has its answer while the
 * rest is decoded, or else from decoding all.
 */
async function wavResponse(
  request: Request,
  { decodedSounds, folders }: WavDeps,
  { id, audio }: { id: string; audio: CaptureAudio },
): Promise<Response> {
  const { path, sha256 } = audio
  const kind = audioKindOf(path)
  if (kind === null)
    return problemResponse({ code: 'audio_gone', detail: 'The audio cannot be read any more.' })
  const partOf = (samples: number) =>
    partAsked(request, {
      size: wavBytesOf(samples),
      mediaType: 'audio/wav',
      etag: `"${sha256}.wav"`,
      downloadName: `capture_${id}.wav`,
    })
  const foretold = await samplesOfOutline(peaksPathOf(folders.data, id))
  const early = foretold === null ? null : partOf(foretold)
  if (early instanceof Response) return early

  const sound = decodedSounds.open({ path, kind })
  request.signal.addEventListener('abort', sound.leave)
  const begun = await beginWav(sound, foretold, partOf)
  // From here on the stream is told when its reader leaves.
  request.signal.removeEventListener('abort', sound.leave)
  if (begun instanceof Response) {
    sound.leave()
    return begun
  }
  const { samples, part } = begun
  const body = wavPartStream(sound, { samples, startByte: part.start, endByte: part.end })
  return new Response(body, { status: part.status, headers: part.headers })
}

/** Waits for the first sample: what cannot be decoded is told as a problem, and not by an answer that breaks off. */
async function beginWav(
  sound: DecodedAudio,
  foretold: number | null,
  partOf: (samples: number) => AskedPart | Response,
): Promise<{ samples: number; part: AskedPart } | Response> {
  const counted = foretold === null ? await sound.count() : succeed(foretold)
  if (!counted.ok) return failureResponse(counted.failure)
  const part = partOf(counted.value)
  if (part instanceof Response) return part
  const reached = await sound.reach(sampleAtByte(part.start) + 1)
  return reached.ok ? { samples: counted.value, part } : failureResponse(reached.failure)
}
