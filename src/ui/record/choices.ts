// What a person chose about recording, and this browser keeps.
// What the choices do is recorder.ts's, how they look choices-form.tsx's.

import { type Signal, signal } from '@preact/signals'
import { remember, remembered } from '../memory.ts'

function kept<Value extends string>(name: string, fallback: Value): Signal<Value> {
  const choice = signal((remembered(name) ?? fallback) as Value)
  choice.subscribe((value) => remember(name, value))
  return choice
}

/** '' is the one that the system takes */
export const chosenMicrophone = kept<string>('record.microphone', '')

/** what the button does */
export const pressMode = kept<'toggle' | 'hold'>('record.press', 'toggle')

/** seconds of silence behind speech that end a recording; '' where only a person does */
export const stopAfterSilence = kept<'' | '2' | '4' | '8'>('record.silence', '')
