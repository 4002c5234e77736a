// The waveform of a capture, which also tells whether the word times match the original file as the browser plays it.

import { request } from '../server/request.ts'
import type { Outline } from '../server/wire.ts'
import { decodedAudioUrl } from './audio-url.ts'
import type { Playback } from './playback.ts'

const POINTS = 800

type Played = { id: string; playback: Playback; durationSeconds: number }

/**
 * If the browser would play the file with a different timing, playback switches to the decoded audio. @throws as `request`
 * does, also when the playback is closed
 */
export async function outlineOf({ id, playback, durationSeconds }: Played): Promise<Outline> {
  const asked = { signal: playback.closed }
  const outline = await request<Outline>(`/captures/${id}/waveform?points=${POINTS}`, asked)
  // Earlier versions transcribed without the gaps: if the lengths differ, the word times match the original file.
  const isAsTranscribed = outline.duration_ms / 1000 === durationSeconds
  if (!outline.plays_alike && isAsTranscribed) playback.playInstead(decodedAudioUrl(id))
  return outline
}
