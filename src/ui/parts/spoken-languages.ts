// The languages that can be heard, by their codes, and how each is called in the language of the page.
// The engine's own list, which a test compares with this one.

import { computed } from '@preact/signals'
import { pageLanguage } from '../strings/strings.ts'

export const SPOKEN_LANGUAGES = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur' +
  ' hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si' +
  ' km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln' +
  ' ha ba jw su yue'
).split(' ')

/** Chinese in the characters that are asked for. */
const CHINESE_SCRIPTS = ['zh-Hans', 'zh-Hant', 'zh-TW', 'zh-HK']

const names = computed(() => new Intl.DisplayNames(pageLanguage.value, { type: 'language' }))

/** The code itself where the browser knows no name for it. */
export function nameOfLanguage(code: string): string {
  try {
    return names.value.of(code) ?? code
  } catch {
    return code
  }
}

/** In the order of the alphabet of the page's language. */
const byName = (codes: readonly string[]) =>
  codes
    .map((code) => ({ code, name: nameOfLanguage(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, pageLanguage.value))

export const languagesByName = computed(() => byName(SPOKEN_LANGUAGES))

/** The same, and Chinese by its scripts: what a recording can be transcribed in. */
export const writtenLanguagesByName = computed(() => byName([...SPOKEN_LANGUAGES, ...CHINESE_SCRIPTS]))
