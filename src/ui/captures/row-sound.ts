// Plays a capture from the list, starting at the first search match. One at a time: a paused `<audio>` still holds one
// of the browser's six connections to the server.

import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { audioUrl, createPlayback, outlineOf, type Playback } from '../capture/playback.ts'
import { findSpoken } from '../capture/timed-words.ts'
import { note, noteFault } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture, ListedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'

export function useRowSound(words: string): {
  /** id of the capture that is playing */
  playing: string | null
  /** starts playback, or stops it if the capture is already playing */
  play: (capture: ListedCapture) => void
} {
  const [playing, setPlaying] = useState<string | null>(null)
  const sounding = useRef<Playback | null>(null)

  const stop = (): void => {
    sounding.current?.close()
    sounding.current = null
    setPlaying(null)
  }
  useEffect(() => stop, [])

  /** Clears the playing state when playback ends or fails. */
  const follow = (sound: Playback): void => {
    let hasBegun = false
    effect(() => {
      hasBegun ||= sound.isPlaying.value
      const hasFailed = sound.hasFailed.value
      const hasEnded = hasBegun && !sound.isPlaying.value
      if (sounding.current !== sound || !(hasFailed || hasEnded)) return
      stop()
      if (hasFailed) note(strings.peek().capture.cannotPlay, { isFault: true })
    })
  }

  const play = async (capture: ListedCapture): Promise<void> => {
    stop()
    if (playing === capture.id || !capture.audio_available) return
    const { id, duration_ms } = capture
    const durationSeconds = duration_ms === null ? Number.POSITIVE_INFINITY : duration_ms / 1000
    const playback = createPlayback(audioUrl(capture), durationSeconds)
    sounding.current = playback
    setPlaying(id)
    follow(playback)
    // Without a waveform the original file is played.
    const onSwitch = () => playback.seek(0)
    const outline = outlineOf({ id, playback, durationSeconds, onSwitch }).catch(() => {})
    try {
      if (words.trim() !== '') {
        const { segments } = await request<DetailedCapture>(`/captures/${id}`)
        // The match time refers to the transcribed audio.
        await outline
        playback.seek(findSpoken(segments, words) ?? 0)
      }
      if (sounding.current === playback) playback.play()
    } catch (error) {
      if (sounding.current !== playback) return
      stop()
      noteFault(error)
    }
  }
  return { playing, play: (capture) => void play(capture) }
}
