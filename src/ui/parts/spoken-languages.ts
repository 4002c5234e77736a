// The language codes that the engine supports, and their names in the language of the page. A test compares the list
// with the engine's.

import { computed } from '@preact/signals'
import { pageLanguage, strings } from '../strings/strings.ts'

export const SPOKEN_LANGUAGES = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur' +
  ' hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si' +
  ' km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln' +
  ' ha ba jw su yue'
).split(' ')

/** Chinese by script. */
const CHINESE_SCRIPTS = ['zh-Hans', 'zh-Hant', 'zh-TW', 'zh-HK']

const names = computed(() => new Intl.DisplayNames(pageLanguage.value, { type: 'language' }))

/** Some browsers lack the names of a few languages; the code itself if the page lacks it, too. */
export function nameOfLanguage(code: string): string {
  const own: Record<string, string> = strings.value.parts.languages
  try {
    const name = names.value.of(code)
    return name === undefined || name === code ? (own[code] ?? code) : name
  } catch {
    return code
  }
}

/** Sorted by name in the page's language. */
const byName = (codes: readonly string[]) =>
  codes
    .map((code) => ({ code, name: nameOfLanguage(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, pageLanguage.value))

export const languagesByName = computed(() => byName(SPOKEN_LANGUAGES))

/** The same, with Chinese by script: the languages for a transcription. */
export const writtenLanguagesByName = computed(() => byName([...SPOKEN_LANGUAGES, ...CHINESE_SCRIPTS]))
