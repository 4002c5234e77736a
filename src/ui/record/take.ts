// One recording from its first sample to its capture: spooled here, streamed for live text, and uploaded as a whole at
// its end. The live socket does not store it: with one request body per capture a crash on either side loses nothing,
// and an unreachable server needs no separate path.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { sentenceOf } from '../parts/sentence.ts'
import { isReachable } from '../server/reachable.ts'
import type { LiveMessage } from '../server/wire.ts'
import { type HearingSocket, openHearing } from './hearing-socket.ts'
import { beforeNextStream, type LiveWords, NO_WORDS, wordsAfter } from './live-words.ts'
import { type KeptRecording, sendRecording } from './send-recording.ts'
import { type SilenceWatch, watchSilence } from './silence.ts'
import { holdSpooled, type Spooled, saveSpooled } from './spool.ts'
import { createSpoolWriter } from './spool-writer.ts'

export type TakePhase = 'recording' | 'sending' | 'waiting' | 'kept' | 'refused'

export type Take = {
  id: string
  phase: Signal<TakePhase>
  elapsedMs: Signal<number>
  /** whole seconds: samples come fifty times a second, and a re-render for each would be wasteful */
  seconds: ReadonlySignal<number>
  words: Signal<LiveWords>
  /** state of the live text; `over`: everything said has been transcribed */
  hearing: Signal<'live' | 'gone' | 'over'>
  /** the browser refuses to store it: it is only in memory */
  isUnkept: Signal<boolean>
  captureId: Signal<string | null>
  /** why the server rejected it, or why the browser does not return it */
  refusal: Signal<string | null>
  silence: SilenceWatch
  push(samples: Int16Array): void
  /** @param state `cancelled`: the capture goes to the trash */
  end(state: 'finished' | 'cancelled'): Promise<KeptRecording | null>
  /** after a rejection */
  sendAgain(): Promise<KeptRecording | null>
  blocks(): Promise<readonly Int16Array<ArrayBuffer>[]>
  rate: number
}

/** A restarted server does not accept live audio at once. */
const HEAR_AGAIN_MS = 2000

export function beginTake(rate: number): Take {
  const recording: Spooled = {
    id: crypto.randomUUID(),
    rate,
    startedAt: new Date(),
    state: 'recording',
    isAttempted: false,
  }
  const letGo = holdSpooled(recording.id)
  const isUnkept = signal(false)
  const spool = createSpoolWriter(recording, () => (isUnkept.value = true))
  const silence = watchSilence(rate)
  const phase = signal<TakePhase>('recording')
  const elapsedMs = signal(0)
  const seconds = computed(() => Math.floor(elapsedMs.value / 1000))
  const words = signal(NO_WORDS)
  const hearing = signal<'live' | 'gone' | 'over'>('live')
  const captureId = signal<string | null>(null)
  const refusal = signal<string | null>(null)
  let samplesSoFar = 0
  let hearAgain: ReturnType<typeof setTimeout> | undefined

  const onMessage = (message: LiveMessage) => {
    words.value = wordsAfter(words.value, message)
    silence.heard(message)
  }
  const hear = (): HearingSocket =>
    openHearing({
      rate,
      onMessage,
      onClose(isWhole) {
        hearing.value = isWhole ? 'over' : 'gone'
        if (phase.value !== 'recording') return
        words.value = beforeNextStream(words.value)
        tryAgain()
      },
    })
  const tryAgain = () => {
    clearTimeout(hearAgain)
    hearAgain = setTimeout(() => {
      if (phase.value !== 'recording') return
      if (!isReachable.value) return tryAgain()
      hearing.value = 'live'
      socket = hear()
    }, HEAR_AGAIN_MS)
  }
  let socket = hear()

  const send = async (): Promise<KeptRecording | null> => {
    phase.value = 'sending'
    refusal.value = null
    try {
      const kept = await sendRecording({
        recording,
        blocks: await spool.blocks(),
        onWait: () => (phase.value = 'waiting'),
      })
      captureId.value = kept.id
      phase.value = 'kept'
      letGo()
      return kept
    } catch (error) {
      refusal.value = sentenceOf(error)
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
    hearing,
    isUnkept,
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
      clearTimeout(hearAgain)
      if (state === 'cancelled') socket.close()
      else socket.stop()
      await spool.flush()
      await saveSpooled({ ...recording }).catch(() => {})
      return send()
    },
    sendAgain: send,
    blocks: () => spool.blocks(),
  }
}
