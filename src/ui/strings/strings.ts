// The texts of the page in the current language. English is part of the first bundle; other languages load on demand.

import { computed, signal } from '@preact/signals'
import { remember, remembered } from '../browser-storage.ts'
import { en, type Strings } from './en.ts'

const OTHERS: Record<string, () => Promise<Strings>> = {
  de: async () => (await import('./de.ts')).de,
}

export const PAGE_LANGUAGES: Record<string, string> = { en: 'English', de: 'Deutsch' }

const KEPT = 'language'

export const pageLanguage = signal('en')

/** For numbers and dates: the browser's own form of the page's language, such as en-GB. */
export const pageLocale = computed(() => {
  const isOwn = (tag: string) => tag.split('-')[0]!.toLowerCase() === pageLanguage.value
  return (navigator.languages ?? []).find(isOwn) ?? pageLanguage.value
})

/** A component that reads it renders again when the language changes. */
export const strings = signal<Strings>(en)

export function languageOfBrowser(): string {
  const kept = remembered(KEPT)
  const wanted = [...(kept ? [kept] : []), ...navigator.languages]
  return wanted.map((tag) => tag.split('-')[0]!.toLowerCase()).find((tag) => tag in PAGE_LANGUAGES) ?? 'en'
}

/** Falls back to English if the file of another language does not load. */
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

/** "3 words", by the plural rules of the current language. */
export function counted(count: number, forms: { one: string; other: string }): string {
  const form = new Intl.PluralRules(pageLanguage.value).select(count) === 'one' ? forms.one : forms.other
  return form.replace('{n}', count.toLocaleString(pageLocale.value))
}

/** Replaces the placeholders of a sentence, such as `{name}`, by values. */
export const filled = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
