// The audio tracks of a recording, and the choice of the one that is transcribed.

import type { Warning } from '../../lib/warning.ts'
import { REQUEST_SAMPLES, readScaled } from '../speech-level.ts'
import type { SpeechMemory } from '../speech-messages.ts'
import type { SpeechModel } from '../speech-model.ts'
import { createSpanFinder, NARROW } from '../speech-spans.ts'
import type { PcmSink } from './pcm-sink.ts'

export type AudioTrack = {
  /** the container's track number */
  id: number
  /** the track that a player plays by default; several tracks may have this flag, or none */
  isDefault: boolean
  /** as the container declares them */
  language: string | null
  title: string | null
}

export type OpenedRecording = {
  /** empty if the format has no tracks or none is known */
  tracks: readonly AudioTrack[]
  /** @param track one of `tracks`; null selects the first audio in the file */
  decode(sink: PcmSink, track: AudioTrack | null): void | Promise<void>
}

/** A track without speech is decoded to its end. */
const MAX_TRIED = 16

/** The tracks in the order in which they are tried. */
export const byPreference = (tracks: readonly AudioTrack[]): AudioTrack[] =>
  [...tracks.filter(({ isDefault }) => isDefault), ...tracks.filter(({ isDefault }) => !isDefault)].slice(
    0,
    MAX_TRIED,
  )

/** Whether a decoded track contains speech. */
export async function holdsSpeech(
  model: SpeechModel,
  { path, samples }: { path: string; samples: number },
): Promise<boolean> {
  const finder = createSpanFinder(samples, NARROW)
  let memory: SpeechMemory | null = null
  for (let fromSample = 0; fromSample < samples; fromSample += REQUEST_SAMPLES) {
    const toSample = Math.min(samples, fromSample + REQUEST_SAMPLES)
    const detected = model.detect(await readScaled({ path, samples, fromSample, toSample }), memory)
    memory = detected.memory
    if (finder.push(detected.probabilities).length > 0) return true
  }
  return finder.finish().length > 0
}

/** @param chosen one of the tracks */
export function otherTracks(tracks: readonly AudioTrack[], chosen: AudioTrack): Warning {
  const others = tracks.filter((track) => track !== chosen).map((track) => described(tracks, track))
  const verb = others.length === 1 ? 'was' : 'were'
  return {
    code: 'other_tracks',
    message: `The recording has ${tracks.length} audio tracks. Only ${described(tracks, chosen)} was transcribed; ${listed(others)} ${verb} not.`,
  }
}

const MAX_LISTED = 8

const listed = (names: string[]): string => {
  const some = names.slice(0, MAX_LISTED)
  const last = names.length > some.length ? `${names.length - some.length} more` : some.pop()!
  return some.length === 0 ? last : `${some.join(', ')} and ${last}`
}

function described(tracks: readonly AudioTrack[], track: AudioTrack): string {
  const { language, title } = track
  const known = [language === 'und' ? null : language, title].map(readable).filter((text) => text !== '')
  const number = `track ${tracks.indexOf(track) + 1}`
  return known.length === 0 ? number : `${number} (${known.join(', ')})`
}

const MAX_CHARACTERS = 60

/** Titles come from the file and are untrusted: reduce them to one short line. */
const readable = (text: string | null): string =>
  [...(text ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, MAX_CHARACTERS).join('')
