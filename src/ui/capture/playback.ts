// One <audio> with what a page needs of it: its time at every frame, places to go to, and speed.
// Its buttons are player.tsx's, its keys player-keys.ts's.

import { type ReadonlySignal, signal } from '@preact/signals'
import { addressFor } from '../server/ticket.ts'

export type Playback = {
  /** seconds; exact at each frame while it plays */
  time: ReadonlySignal<number>
  isPlaying: ReadonlySignal<boolean>
  rate: ReadonlySignal<number>
  /** whether it could not be played */
  hasFailed: ReadonlySignal<boolean>
  toggle(): void
  play(): void
  seek(seconds: number): void
  skip(seconds: number): void
  /** to the next speed or the one before */
  changeRate(step: 1 | -1): void
  /** goes on at the same place with the sound at another address */
  playInstead(address: string): void
  close(): void
  /** aborted when it is closed */
  closed: AbortSignal
}

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]

/** Who stopped to think has lost the thread. */
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
  /** seconds; where to go once the place that was asked for before is reached */
  let next: number | null = null

  const place = (): number => next ?? audio.currentTime
  const told = (): void => {
    time.value = place()
  }
  const follow = (): void => {
    told()
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
      told()
    })
  }
  audio.addEventListener('seeked', () => {
    // Told a moment later: another place may have been asked for meanwhile.
    if (next === null || audio.seeking) return told()
    audio.currentTime = next
    next = null
  })

  const play = (): void => {
    // Refused is it only where the sound cannot be had, which the error tells.
    opening.then(() => audio.play()).catch(() => {})
  }
  // One place at a time: Chromium never arrives where it is sent away from a place and back to it before it came there,
  // and an arrow key that is held down asks the server for no more than can be had.
  const seek = (seconds: number): void => {
    const to = Math.min(Math.max(seconds, 0), durationSeconds)
    next = audio.seeking ? to : null
    if (next === null) audio.currentTime = to
    time.value = to
  }
  const open = (sound: string): void => {
    wanted = sound
    opening = addressFor(sound).then((opened) => {
      // Another sound may have been asked for meanwhile.
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
      // Gives the connection back.
      audio.removeAttribute('src')
      audio.load()
    },
    closed: closing.signal,
  }
}
