// GET and HEAD /captures/{id}/audio: the recording as it came, or as 16 kHz mono WAV.
// Ranges and ETags are server/file-response.ts.

import { Type } from '@sinclair/typebox'
import type { PcmFile } from '../../audio/audio-file.ts'
import type { AudioDecoder } from '../../audio/decode.ts'
import { wavLength, wavStream } from '../../audio/pcm.ts'
import { audioKindOf } from '../../captures/capture-files.ts'
import type { CaptureAudio, Captures } from '../../captures/captures.ts'
import { oneOf } from '../../lib/schema.ts'
import { failureResponse } from '../contract/failure.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { contentDisposition, fileResponse } from '../server/file-response.ts'
import { captureParams } from './address.ts'

export type CaptureAudioDeps = { captures: Captures; decoder: AudioDecoder }

export const audioRoute = ({ captures, decoder }: CaptureAudioDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/audio',
      operationId: 'getCaptureAudio',
      summary: 'Get the recording',
      description:
        'The original bytes with their type, in whole or by range. `format=wav` decodes it to 16 kHz mono WAV, whole.',
      tag: 'captures',
      params: captureParams,
      query: strictObject({ format: Type.Optional(oneOf(['original', 'wav'], { default: 'original' })) }),
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
      const name = `capture_${params.id}`
      if (query.format === 'wav') return wavResponse(request, decoder, found.value, `${name}.wav`)
      const { path, type: mediaType, sha256 } = found.value
      const downloadName = name + path.slice(path.lastIndexOf('.'))
      const response = await fileResponse(request, { path, mediaType, sha256, downloadName })
      return response ?? problemResponse({ code: 'audio_gone', detail: 'The audio was removed just now.' })
    },
  )

async function wavResponse(
  request: Request,
  decoder: AudioDecoder,
  audio: CaptureAudio,
  name: string,
): Promise<Response> {
  const headers = {
    'content-type': 'audio/wav',
    'content-disposition': contentDisposition(name),
    'cache-control': 'private, no-cache',
  }
  const kind = audioKindOf(audio.path)
  if (kind === null)
    return problemResponse({ code: 'audio_gone', detail: 'The audio cannot be read any more.' })
  const decoded = await decoder.decode({ path: audio.path, kind, signal: request.signal })
  if (!decoded.ok) return failureResponse(decoded.failure)
  const pcm = decoded.value
  return new Response(disposing(pcm), { headers: { ...headers, 'content-length': String(wavLength(pcm)) } })
}

/** The WAV file as a stream, whose end, or whose reader's leaving, removes the decoded file. */
function disposing(pcm: PcmFile): ReadableStream<Uint8Array> {
  const reader = wavStream(pcm).getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      await pcm.dispose()
      controller.close()
    },
    async cancel() {
      await reader.cancel()
      await pcm.dispose()
    },
  })
}
