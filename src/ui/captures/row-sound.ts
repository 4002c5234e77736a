// Plays a capture from the list, from the second where the words that were searched for are said.
// One at a time: an <audio> that is not played holds one of the six connections that a browser has for a server.

import { useEffect, useRef, useState } from 'preact/hooks'
import { findSpoken } from '../capture/find-spoken.ts'
import { soundOf } from '../capture/sound-address.ts'
import { noteFault } from '../parts/toasts.tsx'
import { ask } from '../server/ask.ts'
import { addressFor } from '../server/ticket.ts'
import type { DetailedCapture, ListedCapture } from '../server/wire.ts'

export function useRowSound(words: string): {
  /** the capture that sounds */
  playing: string | null
  /** begins, or ends it if it sounds already */
  play: (capture: ListedCapture) => void
} {
  const [playing, setPlaying] = useState<string | null>(null)
  const audio = useRef<HTMLAudioElement | null>(null)

  const stop = (): void => {
    audio.current?.pause()
    audio.current?.removeAttribute('src')
    audio.current?.load()
    audio.current = null
    setPlaying(null)
  }
  useEffect(() => stop, [])

  const play = async (capture: ListedCapture): Promise<void> => {
    stop()
    if (playing === capture.id || !capture.audio_available) return
    const sound = new Audio()
    audio.current = sound
    setPlaying(capture.id)
    sound.addEventListener('ended', stop)
    try {
      sound.src = await addressFor(soundOf(capture))
      if (words.trim() !== '') {
        const { segments } = await ask<DetailedCapture>(`/captures/${capture.id}`)
        sound.currentTime = findSpoken(segments, words) ?? 0
      }
      if (audio.current === sound) await sound.play()
    } catch (error) {
      if (audio.current !== sound) return
      stop()
      noteFault(error)
    }
  }
  return { playing, play: (capture) => void play(capture) }
}
