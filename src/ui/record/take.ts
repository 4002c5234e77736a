// One recording from its first sample to its capture: spooled here, heard there meanwhile, sent as a whole at its end.
// It is sent and not kept by the live socket: one body becomes one capture whichever side crashes, and the spool that
// has it is the same when no server is there. Who begins and ends one is recorder.ts.

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
  /** whole ones: samples come fifty times a second, and nothing is drawn anew for each */
  seconds: ReadonlySignal<number>
  words: Signal<LiveWords>
  /** whether words come while one speaks; `over`: all that was said has been told */
  hearing: Signal<'live' | 'gone' | 'over'>
  /** the browser refuses to keep it: it is in memory alone */
  isUnkept: Signal<boolean>
  captureId: Signal<string | null>
  /** why the server does not take it, or the browser does not give it back */
  refusal: Signal<string | null>
  silence: SilenceWatch
  push(samples: Int16Array): void
  /** @param state `cancelled`: it goes into the trash */
  end(state: 'finished' | 'cancelled'): Promise<KeptRecording | null>
  /** after a refusal */
  sendAgain(): Promise<KeptRecording | null>
  blocks(): Promise<readonly Int16Array<ArrayBuffer>[]>
  rate: number
}

/** For a server that was started again, and does not hear at once. */
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
