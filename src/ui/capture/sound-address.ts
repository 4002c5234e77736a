// Where the sound of a capture is to be had in a form that a browser plays and seeks in.
// Plays nothing.

import type { ListedCapture } from '../server/wire.ts'

type Sounding = Pick<ListedCapture, 'id' | 'audio_type'>

/** As it came wherever the browser knows it, since that need not be decoded; else the server makes a WAV file of it. */
export const soundOf = ({ id, audio_type: type }: Sounding): string =>
  new Audio().canPlayType(type) === '' ? decodedSoundOf(id) : `/captures/${id}/audio`

/** As it was transcribed. */
export const decodedSoundOf = (id: string): string => `/captures/${id}/audio?format=wav`
