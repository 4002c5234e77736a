// One recording from its first sample to its capture: spooled here, streamed for live text, and uploaded as a whole at
// its end, after silence if configured. The live socket does not store it: with one request body per capture a crash on either side loses nothing,
// and an unreachable server needs no separate path.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { textOfError } from '../parts/toasts.tsx'
import { isReachable } from '../server/request.ts'
import type { LiveMessage } from '../server/wire.ts'
import { beforeNextStream, type LiveWords, NO_WORDS, wordsAfter } from './live-words.ts'
import { openSampleStream, type SampleStream } from './sample-stream.ts'
import { type StoredRecording, sendRecording } from './send-recording.ts'
import { createSpoolWriter, holdSpooled, type Spooled, saveSpooled } from './spool.ts'

/** Of 32,768, about -54 dB: below what a microphone delivers in a quiet room. */
const SOUND = 65
const NO_SOUND_SECONDS = 5

export type SilenceWatch = {
  push(samples: Int16Array): void
  receive(message: LiveMessage): void
  /** whether there was no sound for so long that the microphone may be off */
  seemsOff(): boolean
  /** seconds since speech ended; 0 during speech and before the first */
  afterSpeech(): number
}

export function watchSilence(rate: number): SilenceWatch {
  let soundless = 0
  let seconds = 0
  let stoppedAt: number | null = null
  return {
    push(samples) {
      seconds += samples.length / rate
      soundless = peakOf(samples) > SOUND ? 0 : soundless + samples.length / rate
    },
    receive({ type }) {
      if (type === 'speech_started') stoppedAt = null
      // The server reports it after one second of silence.
      if (type === 'speech_stopped') stoppedAt = seconds - 1
    },
    seemsOff: () => soundless >= NO_SOUND_SECONDS,
    afterSpeech: () => (stoppedAt === null ? 0 : Math.max(0, seconds - stoppedAt)),
  }
}

export function peakOf(samples: Int16Array): number {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  return peak
}

export type TakePhase = 'recording' | 'sending' | 'waiting' | 'stored' | 'refused'

export type Take = {
  id: string
  phase: Signal<TakePhase>
  elapsedMs: Signal<number>
  /** whole seconds: samples come fifty times a second, and a re-render for each would be wasteful */
  seconds: ReadonlySignal<number>
  words: Signal<LiveWords>
  /** state of the live text; `over`: everything said has been transcribed */
  liveText: Signal<'live' | 'gone' | 'over'>
  /** the browser refuses to store it: it is only in memory */
  isUnsaved: Signal<boolean>
  captureId: Signal<string | null>
  /** why the server rejected it, or why the browser does not return it */
  refusal: Signal<string | null>
  silence: SilenceWatch
  push(samples: Int16Array): void
  /** @param state `cancelled`: the capture goes to the trash */
  end(state: 'finished' | 'cancelled'): Promise<StoredRecording | null>
  /** after a rejection */
  retryUpload(): Promise<StoredRecording | null>
  blocks(): Promise<readonly Int16Array<ArrayBuffer>[]>
  rate: number
}

/** A restarted server does not accept live audio at once. */
const RECONNECT_MS = 2000

export function beginTake(rate: number): Take {
  const recording: Spooled = {
    id: crypto.randomUUID(),
    rate,
    startedAt: new Date(),
    state: 'recording',
    isAttempted: false,
  }
  const releaseLock = holdSpooled(recording.id)
  const isUnsaved = signal(false)
  const spool = createSpoolWriter(recording, () => (isUnsaved.value = true))
  const silence = watchSilence(rate)
  const phase = signal<TakePhase>('recording')
  const elapsedMs = signal(0)
  const seconds = computed(() => Math.floor(elapsedMs.value / 1000))
  const words = signal(NO_WORDS)
  const liveText = signal<'live' | 'gone' | 'over'>('live')
  const captureId = signal<string | null>(null)
  const refusal = signal<string | null>(null)
  let samplesSoFar = 0
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined

  const onMessage = (message: LiveMessage) => {
    words.value = wordsAfter(words.value, message)
    silence.receive(message)
  }
  const connect = (): SampleStream =>
    openSampleStream({
      rate,
      onMessage,
      onClose(isWhole) {
        liveText.value = isWhole ? 'over' : 'gone'
        if (phase.value !== 'recording') return
        words.value = beforeNextStream(words.value)
        reconnectLater()
      },
    })
  const reconnectLater = () => {
    clearTimeout(reconnectTimer)
    reconnectTimer = setTimeout(() => {
      if (phase.value !== 'recording') return
      if (!isReachable.value) return reconnectLater()
      liveText.value = 'live'
      socket = connect()
    }, RECONNECT_MS)
  }
  let socket = connect()

  const send = async (): Promise<StoredRecording | null> => {
    phase.value = 'sending'
    refusal.value = null
    try {
      const stored = await sendRecording({
        recording,
        blocks: await spool.blocks(),
        onWait: () => (phase.value = 'waiting'),
      })
      captureId.value = stored.id
      phase.value = 'stored'
      releaseLock()
      return stored
    } catch (error) {
      refusal.value = textOfError(error)
      phase.value = 'refused'
      return null
    }
  }

  return {
    id: recording.id,
    rate,
    phase,
    elapsedMs,
    seconds,
    words,
    liveText,
    isUnsaved,
    captureId,
    refusal,
    silence,
    push(samples) {
      spool.push(samples)
      socket.send(samples)
      silence.push(samples)
      samplesSoFar += samples.length
      elapsedMs.value = (samplesSoFar / rate) * 1000
    },
    async end(state) {
      recording.state = state
      phase.value = 'sending'
      clearTimeout(reconnectTimer)
      if (state === 'cancelled') socket.close()
      else socket.stop()
      await spool.flush()
      await saveSpooled({ ...recording }).catch(() => {})
      return send()
    },
    retryUpload: send,
    blocks: () => spool.blocks(),
  }
}
