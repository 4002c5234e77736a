// Languages as people and programs write them.

import { expect, test } from 'bun:test'
import { WHISPER_LANGUAGES } from '../../src/engine/languages.ts'
import { nearestLanguage, readLanguage } from '../../src/text/language-names.ts'

const WRITTEN: [string, string][] = [
  ['EN', 'en'],
  ['en-US', 'en'],
  ['pt_BR', 'pt'],
  ['zh-Hant-TW', 'zh'],
  ['deu', 'de'],
  ['iw', 'he'],
  ['nb', 'no'],
  ['jv', 'jw'],
  ['es-MX', 'es'],
  ['zh-CN', 'zh'],
  ['ES', 'es'],
  ['Spanish', 'es'],
  ['deutsch', 'de'],
  ['English', 'en'],
  ['GERMAN', 'de'],
  ['Deutsch', 'de'],
  ['español', 'es'],
  ['Espanol', 'es'],
  ['français', 'fr'],
  ['日本語', 'ja'],
  ['العربية', 'ar'],
  ['Mandarin', 'zh'],
  [' yue ', 'yue'],
]
for (const [written, code] of WRITTEN)
  test(`${written} is ${code}`, () => {
    expect(readLanguage(written)).toBe(code)
  })

test('every code means itself, and every English name its language', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  for (const code of WHISPER_LANGUAGES) {
    expect(readLanguage(code)).toBe(code)
    expect(readLanguage(names.of(code === 'jw' ? 'jv' : code)!)).toBe(code)
  }
})

test('what is no language is none, and may be near to one', () => {
  for (const text of ['', 'xx', 'klingon', '__proto__', 'constructor', '-', 'x'.repeat(10_000)])
    expect(readLanguage(text)).toBeNull()
  expect(nearestLanguage('germn')).toBe('de')
  expect(nearestLanguage('Spansih')).toBe('es')
  expect(nearestLanguage('klingon')).toBeNull()
})
