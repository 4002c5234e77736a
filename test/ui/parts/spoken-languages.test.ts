// Names of languages. `Intl.DisplayNames` is replaced by one that knows no names, as some browsers know none of a few
// languages.

import { afterEach, expect, test } from 'bun:test'
import {
  nameOfLanguage,
  SPOKEN_LANGUAGES,
  writtenLanguagesByName,
} from '../../../src/ui/parts/spoken-languages.ts'
import { chooseLanguage, strings } from '../../../src/ui/strings/strings.ts'

const { DisplayNames } = Intl
// chooseLanguage sets the language of the document.
globalThis.document ??= { documentElement: {} } as Document
afterEach(async () => {
  Object.assign(Intl, { DisplayNames })
  await chooseLanguage('en')
})

for (const language of ['en', 'de'])
  test(`every spoken language has a name in the page's language ${language}, never its code`, async () => {
    await chooseLanguage(language)
    for (const code of SPOKEN_LANGUAGES) expect(nameOfLanguage(code)).not.toBe(code)
    const names = writtenLanguagesByName.value.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

test('the page has the names that browsers lack', async () => {
  for (const language of ['en', 'de']) {
    const DisplayNames = class {
      of = (code: string) => code
    }
    Object.assign(Intl, { DisplayNames })
    await chooseLanguage(language)
    for (const code of ['ba', 'bo']) {
      expect(nameOfLanguage(code)).toBe(strings.value.parts.languages[code as 'ba'])
      expect(nameOfLanguage(code).length).toBeGreaterThan(2)
    }
    await chooseLanguage(language === 'en' ? 'de' : 'en')
  }
})
