// The outline of a capture, which also says whether its words lie where the file itself plays.
// How it is drawn is waveform.tsx's.

import { ask } from '../server/ask.ts'
import type { Outline } from '../server/wire.ts'
import type { Playback } from './playback.ts'
import { decodedSoundOf } from './sound-address.ts'

const POINTS = 800

type Played = { id: string; playback: Playback; durationSeconds: number }

/** Where the file plays otherwise, the playback goes on with what was transcribed. @throws as ask does, also when it is closed */
export async function outlineOf({ id, playback, durationSeconds }: Played): Promise<Outline> {
  const asked = { signal: playback.closed }
  const outline = await ask<Outline>(`/captures/${id}/waveform?points=${POINTS}`, asked)
  // Earlier versions transcribed without the holes: where the lengths differ, the words lie as the file plays.
  const isAsTranscribed = outline.duration_ms / 1000 === durationSeconds
  if (!outline.plays_alike && isAsTranscribed) playback.playInstead(decodedSoundOf(id))
  return outline
}
