// The language and the model of the files that are added next. Not with their form: the queue is loaded with every view.

import { signal } from '@preact/signals'

/** '' for the one in the settings */
export const fileLanguage = signal('')
export const fileModel = signal('')

/** The form fields of an upload. */
export const chosenFields = (): Record<string, string> => ({
  ...(fileLanguage.value !== '' && { language: fileLanguage.value }),
  ...(fileModel.value !== '' && { stt_model: fileModel.value }),
})
