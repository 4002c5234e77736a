// Where the sound of a capture is to be had in a form that a browser plays and seeks in exactly.
// Plays nothing.

import type { ListedCapture } from '../server/wire.ts'

type Sounding = Pick<ListedCapture, 'id' | 'audio_type'>

/** Of the others a browser guesses where a second lies, or cannot play them at all; the server makes a WAV file of them. */
const SOUGHT_EXACTLY = new Set(['audio/wav', 'audio/flac'])

export const soundOf = ({ id, audio_type: type }: Sounding): string =>
  SOUGHT_EXACTLY.has(type) ? `/captures/${id}/audio` : `/captures/${id}/audio?format=wav`
