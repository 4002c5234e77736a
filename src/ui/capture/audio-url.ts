import type { ListedCapture } from '../server/wire.ts'

type Sounding = Pick<ListedCapture, 'id' | 'audio_type'>

/** The original file if the browser can play its type, which saves decoding; otherwise a WAV from the server. */
export const audioUrl = ({ id, audio_type: type }: Sounding): string =>
  new Audio().canPlayType(type) === '' ? decodedAudioUrl(id) : `/captures/${id}/audio`

/** The audio as it was transcribed. */
export const decodedAudioUrl = (id: string): string => `/captures/${id}/audio?format=wav`
