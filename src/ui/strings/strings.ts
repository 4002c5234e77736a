// The words of the page in the language that is shown. English comes with the page, others when they are asked for.
// The words themselves are a file each beside this one.

import { signal } from '@preact/signals'
import { remember, remembered } from '../browser-storage.ts'
import { en, type Strings } from './en.ts'

const OTHERS: Record<string, () => Promise<Strings>> = {
  de: async () => (await import('./de.ts')).de,
}

export const PAGE_LANGUAGES: Record<string, string> = { en: 'English', de: 'Deutsch' }

const KEPT = 'language'

export const pageLanguage = signal('en')

/** Read in a component it draws that component again when the language changes. */
export const strings = signal<Strings>(en)

export function languageOfBrowser(): string {
  const kept = remembered(KEPT)
  const wanted = [...(kept ? [kept] : []), ...navigator.languages]
  return wanted.map((tag) => tag.split('-')[0]!.toLowerCase()).find((tag) => tag in PAGE_LANGUAGES) ?? 'en'
}

/** English where the file of another language cannot be had. */
export async function chooseLanguage(tag: string): Promise<void> {
  const loaded = await OTHERS[tag]?.().catch(() => null)
  strings.value = loaded ?? en
  pageLanguage.value = loaded ? tag : 'en'
  document.documentElement.lang = pageLanguage.value
}

export async function keepLanguage(tag: string): Promise<void> {
  remember(KEPT, tag)
  await chooseLanguage(tag)
}

/** "3 words", by the rules of the language that is shown. */
export function counted(count: number, forms: { one: string; other: string }): string {
  const form = new Intl.PluralRules(pageLanguage.value).select(count) === 'one' ? forms.one : forms.other
  return form.replace('{n}', count.toLocaleString(pageLanguage.value))
}

/** Puts values into the places of a sentence that name them: `{name}`. */
export const filled = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
