import { type Static, Type } from '@sinclair/typebox'
import type { AudioDecoder } from '../../audio/decode.ts'
import { peaksPathOf } from '../../captures/capture-files.ts'
import type { Captures } from '../../captures/captures.ts'
import { createWaveforms } from '../../captures/waveform.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject, wholeNumber } from '../contract/schema.ts'
import { captureParams } from './address.ts'

export type CaptureWaveformDeps = {
  captures: Captures
  decoder: AudioDecoder
  folders: { data: string }
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
  const waveforms = createWaveforms({ captures, decoder, pathOf: (id) => peaksPathOf(deps.folders.data, id) })
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
      responses: {
        200: {
          description: 'The waveform',
          content: {
            'application/json': {
              schema: WaveformSchema,
              example: {
                points: 3,
                peaks: [
                  [-0.1, 0.12],
                  [-0.81, 0.79],
                  [-0.02, 0.01],
                ],
                duration_ms: 2380,
                plays_alike: true,
              } satisfies Static<typeof WaveformSchema>,
            },
          },
        },
      },
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
