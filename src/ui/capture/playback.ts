// An `<audio>` element with a time signal that is exact on every frame, queued seeking and playback rates; the keys of
// the player, and the outline of the sound.

import { type ReadonlySignal, signal } from '@preact/signals'
import { request } from '../server/request.ts'
import { addressFor } from '../server/ticket.ts'
import type { ListedCapture, Outline } from '../server/wire.ts'

export type Playback = {
  /** seconds; updated on every frame during playback */
  time: ReadonlySignal<number>
  isPlaying: ReadonlySignal<boolean>
  rate: ReadonlySignal<number>
  /** the audio could not be played */
  hasFailed: ReadonlySignal<boolean>
  toggle(): void
  play(): void
  seek(seconds: number): void
  skip(seconds: number): void
  /** to the next or the previous rate */
  changeRate(step: 1 | -1): void
  /** continues at the same position with the audio from another address */
  playInstead(address: string): void
  close(): void
  /** aborted by `close` */
  closed: AbortSignal
}

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]

/** Resuming after a pause rewinds this much, so that the listener regains the context. */
const REWIND_SECONDS = 1

export function createPlayback(address: string, durationSeconds: number): Playback {
  const audio = new Audio()
  audio.preload = 'metadata'
  const closing = new AbortController()
  let wanted = ''
  let opening = Promise.resolve()
  const time = signal(0)
  const isPlaying = signal(false)
  const rate = signal(1)
  const hasFailed = signal(false)
  let frame = 0
  /** seconds; the position to seek to once the seek in progress has ended */
  let next: number | null = null

  const place = (): number => next ?? audio.currentTime
  const settled = (): void => {
    time.value = place()
  }
  const follow = (): void => {
    settled()
    frame = requestAnimationFrame(follow)
  }
  audio.addEventListener('playing', () => {
    isPlaying.value = true
    cancelAnimationFrame(frame)
    follow()
  })
  const failed = (): void => {
    hasFailed.value = true
  }
  audio.addEventListener('error', failed)
  for (const end of ['pause', 'ended', 'error']) {
    audio.addEventListener(end, () => {
      isPlaying.value = false
      cancelAnimationFrame(frame)
      settled()
    })
  }
  audio.addEventListener('seeked', () => {
    // Deferred, because another seek may have been requested meanwhile.
    if (next === null || audio.seeking) return settled()
    audio.currentTime = next
    next = null
  })

  const play = (): void => {
    // If the audio cannot be loaded, the `error` event reports it.
    opening.then(() => audio.play()).catch(() => {})
  }
  // One seek at a time: Chromium never finishes a seek that is replaced by a seek back to the current position, and a
  // held arrow key must not request more audio than the server can deliver.
  const seek = (seconds: number): void => {
    const to = Math.min(Math.max(seconds, 0), durationSeconds)
    next = audio.seeking ? to : null
    if (next === null) audio.currentTime = to
    time.value = to
  }
  const open = (sound: string): void => {
    wanted = sound
    opening = addressFor(sound).then((opened) => {
      // Another source may have been requested meanwhile.
      if (closing.signal.aborted || wanted !== sound) return
      const [at, wasPlaying] = [place(), !audio.paused]
      audio.src = opened
      audio.playbackRate = rate.value
      seek(at)
      if (wasPlaying) play()
    })
    opening.catch(failed)
  }
  open(address)
  return {
    time,
    isPlaying,
    rate,
    hasFailed,
    play,
    seek,
    toggle() {
      if (!audio.paused) return audio.pause()
      if (place() > 0 && !audio.ended) seek(place() - REWIND_SECONDS)
      play()
    },
    skip: (seconds) => seek(place() + seconds),
    changeRate(step) {
      const at = RATES.indexOf(rate.value)
      const to = RATES[Math.min(Math.max(at + step, 0), RATES.length - 1)]!
      rate.value = to
      audio.playbackRate = to
    },
    playInstead: open,
    close() {
      closing.abort()
      cancelAnimationFrame(frame)
      audio.pause()
      // Releases the connection.
      audio.removeAttribute('src')
      audio.load()
    },
    closed: closing.signal,
  }
}

type Sounding = Pick<ListedCapture, 'id' | 'audio_type'>

/** The original file if the browser can play its type, which saves decoding; otherwise a WAV from the server. */
export const audioUrl = ({ id, audio_type: type }: Sounding): string =>
  new Audio().canPlayType(type) === '' ? decodedAudioUrl(id) : `/captures/${id}/audio`

/** The audio as it was transcribed. */
const decodedAudioUrl = (id: string): string => `/captures/${id}/audio?format=wav`

const POINTS = 800

type Played = {
  id: string
  playback: Playback
  durationSeconds: number
  /** called before playback switches: what was played until then may have been another track */
  onSwitch?: () => void
}

/**
 * If the browser would play the file with a different timing, playback switches to the decoded audio. @throws as `request`
 * does, also when the playback is closed
 */
export async function outlineOf({ id, playback, durationSeconds, onSwitch }: Played): Promise<Outline> {
  const options = { signal: playback.closed }
  const outline = await request<Outline>(`/captures/${id}/waveform?points=${POINTS}`, options)
  // Earlier versions transcribed without the gaps: if the lengths differ, the word times match the original file.
  const isAsTranscribed = outline.duration_ms / 1000 === durationSeconds
  if (!outline.plays_alike && isAsTranscribed) {
    onSwitch?.()
    playback.playInstead(decodedAudioUrl(id))
  }
  return outline
}

const STEP = 5
const SMALL_STEP = 1

export function playerKey(event: KeyboardEvent, playback: Playback): void {
  const act = actionOf(event, playback)
  if (act === null) return
  event.preventDefault()
  act()
}

function actionOf(event: KeyboardEvent, playback: Playback): (() => void) | null {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event
  const target = event.target instanceof Element ? event.target : null
  if (ctrlKey || metaKey) return null
  // By `code`: with Alt a key may produce another character.
  if (altKey) return ALT_KEYS[event.code]?.(playback) ?? null
  if (target?.closest('input:not([type=range]), textarea, select, dialog')) return null
  // After a click on a word, nothing has the focus.
  if (target !== document.body && !target?.closest('#view')) return null
  const isPlayer = target?.closest('.player') != null
  if (key === ' ' && target?.closest('button, a, summary')) return null
  if (key === ' ' || (isPlayer && key.toLowerCase() === 'k')) return () => playback.toggle()
  const step = shiftKey ? SMALL_STEP : STEP
  if (key === 'ArrowLeft') return () => playback.skip(-step)
  if (key === 'ArrowRight') return () => playback.skip(step)
  if (!isPlayer) return null
  if (key === 'Home') return () => playback.seek(0)
  if (key === 'End') return () => playback.seek(Number.POSITIVE_INFINITY)
  if (key === 'PageUp') return () => playback.skip(-30)
  if (key === 'PageDown') return () => playback.skip(30)
  return null
}

const ALT_KEYS: Record<string, (playback: Playback) => () => void> = {
  ArrowUp: (playback) => () => playback.changeRate(1),
  ArrowDown: (playback) => () => playback.changeRate(-1),
  KeyK: (playback) => () => playback.toggle(),
  KeyJ: (playback) => () => playback.skip(-STEP),
  KeyL: (playback) => () => playback.skip(STEP),
}
