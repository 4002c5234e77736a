// Recording preferences, stored in this browser.

import { type Signal, signal } from '@preact/signals'
import { remember, remembered } from '../browser-storage.ts'

function preference<Value extends string>(name: string, fallback: Value): Signal<Value> {
  const choice = signal((remembered(name) ?? fallback) as Value)
  choice.subscribe((value) => remember(name, value))
  return choice
}

/** '' for the system default */
export const chosenMicrophone = preference<string>('record.microphone', '')

/** what the button does */
export const pressMode = preference<'toggle' | 'hold'>('record.press', 'toggle')

/** seconds of silence after speech that end a recording; '' to end it only by hand */
export const stopAfterSilence = preference<'' | '2' | '4' | '8'>('record.silence', '')
