// The page's one recorder: opens the microphone, keeps it open while the view is visible, and starts and ends takes.

import { effect, signal } from '@preact/signals'
import { clockTime } from '../parts/formats.ts'
import { note } from '../parts/toasts.tsx'
import { filled, strings } from '../strings/strings.ts'
import { chosenMicrophone, stopAfterSilence } from './choices.ts'
import { MicrophoneError, type MicrophoneFault, openMicrophone, type PageMicrophone } from './microphone.ts'
import { createSampleRing } from './sample-ring.ts'
import { beginTake, peakOf, type Take } from './take.ts'

export type RecorderState = 'idle' | 'opening' | 'recording' | 'ending'

export const recorderState = signal<RecorderState>('idle')
/** the latest one, until the next begins */
export const currentTake = signal<Take | null>(null)
export const microphoneFault = signal<MicrophoneFault | null>(null)
/** the chosen microphone was unavailable */
export const isAnotherMicrophone = signal(false)
/** input level, 0 to 1 */
export const level = signal(0)
/** there was no sound for five seconds */
export const seemsOff = signal(false)

/** Audio from before the button press, so that the first word is complete. */
const BEFORE_SECONDS = 0.5
/** Audio after the release, so that the last word is complete. */
const AFTER_MS = 300
/** Limits how long an unused microphone stays open, because the browser shows that it is. */
const WARM_MS = 60_000
const FULL_SCALE = 32_768

let microphone: PageMicrophone | null = null
let opening: Promise<PageMicrophone> | null = null
let ring = createSampleRing(0)
let coolDown: ReturnType<typeof setTimeout> | undefined
const MARK = '●'
let titleBefore = ''
/** false if the user stopped while the microphone was being opened */
let isWanted = false

function take(samples: Int16Array): void {
  level.value = peakOf(samples) / FULL_SCALE
  const running = currentTake.value
  const isTaken = recorderState.value === 'recording' || recorderState.value === 'ending'
  if (!isTaken || running === null) {
    ring.push(samples)
    return
  }
  running.push(samples)
  seemsOff.value = running.silence.seemsOff()
  const limit = Number(stopAfterSilence.value)
  if (limit > 0 && running.silence.afterSpeech() >= limit) void stopRecording()
}

/** @throws MicrophoneError */
async function open(): Promise<PageMicrophone> {
  opening ??= openMicrophone({
    deviceId: chosenMicrophone.value,
    onSamples: take,
    onReplaced() {
      isAnotherMicrophone.value = chosenMicrophone.value !== ''
      if (recorderState.value === 'recording') note(strings.value.record.replacedMicrophone)
    },
    onLost() {
      release()
      if (recorderState.value === 'idle') return
      microphoneFault.value = 'lost'
      void stopRecording()
    },
  })
  try {
    microphone = await opening
    ring = createSampleRing(microphone.rate * BEFORE_SECONDS)
    isAnotherMicrophone.value = microphone.isAnother
    microphoneFault.value = null
    return microphone
  } finally {
    opening = null
  }
}

function release(): void {
  clearTimeout(coolDown)
  microphone?.close()
  microphone = null
  level.value = 0
}

/** Releases the microphone after a period without use. */
function keepWarm(): void {
  clearTimeout(coolDown)
  coolDown = setTimeout(() => recorderState.value === 'idle' && release(), WARM_MS)
}

/** Opens the microphone if permission is already granted, so that recording starts at once. */
export async function warmUp(): Promise<void> {
  if (microphone || opening || document.hidden) return
  const permission = await navigator.permissions
    ?.query({ name: 'microphone' as PermissionName })
    .catch(() => null)
  if (permission?.state !== 'granted' || microphone || opening) return
  await open().then(keepWarm, () => {})
}

export function coolDownNow(): void {
  if (recorderState.value === 'idle') release()
}

/** Called when the user chose another device. */
export async function reopenMicrophone(): Promise<void> {
  if (recorderState.value !== 'idle' || microphone === null) return
  release()
  await warmUp()
}

// The tab's title shows it in every view.
effect(() => {
  const running = recorderState.value === 'recording' ? currentTake.value : null
  const { record, shell } = strings.value
  if (running === null) {
    if (document.title.startsWith(MARK)) document.title = titleBefore
    return
  }
  if (!document.title.startsWith(MARK)) titleBefore = document.title
  document.title = `${filled(record.recordingTitle, { time: clockTime(running.seconds.value) })} – ${shell.title}`
})

// The user might next open the page long from now, and the recording exists only in this browser until then.
addEventListener('beforeunload', (event) => {
  const phase = currentTake.value?.phase.value
  if (phase !== undefined && phase !== 'stored') event.preventDefault()
})

/** Call from a user gesture. */
export const wakeMicrophone = (): void => microphone?.wake()

export async function startRecording(): Promise<void> {
  if (recorderState.value !== 'idle') return
  recorderState.value = 'opening'
  isWanted = true
  clearTimeout(coolDown)
  try {
    const { rate, wake } = microphone ?? (await open())
    wake()
    if (!isWanted) {
      recorderState.value = 'idle'
      return
    }
    const begun = beginTake(rate)
    for (const samples of ring.take()) begun.push(samples)
    seemsOff.value = false
    currentTake.value = begun
    recorderState.value = 'recording'
  } catch (error) {
    recorderState.value = 'idle'
    microphoneFault.value = error instanceof MicrophoneError ? error.fault : 'unsupported'
  }
}

/** Waits for the last word. */
export async function stopRecording(): Promise<void> {
  isWanted = false
  const ended = currentTake.value
  if (recorderState.value !== 'recording' || ended === null) return
  recorderState.value = 'ending'
  if (microphone) await new Promise((resolve) => setTimeout(resolve, AFTER_MS))
  // The recording was cancelled meanwhile.
  if (currentTake.value !== ended || recorderState.value !== 'ending') return
  recorderState.value = 'idle'
  keepWarm()
  await ended.end('finished')
}

/** @returns a function that restores the recording; null if there was none */
export function cancelRecording(): (() => Promise<string | null>) | null {
  isWanted = false
  const ended = currentTake.value
  if ((recorderState.value !== 'recording' && recorderState.value !== 'ending') || ended === null) return null
  recorderState.value = 'idle'
  currentTake.value = null
  keepWarm()
  const stored = ended.end('cancelled')
  return async () => (await stored)?.id ?? null
}
