import { expect, test } from 'bun:test'
import { WHISPER_LANGUAGES } from '../../src/engine/languages.ts'
import {
  baseLanguage,
  nearestLanguage,
  readLanguage,
  readLanguageVariant,
} from '../../src/text/language-names.ts'

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

test('reads every code and every English name', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  for (const code of WHISPER_LANGUAGES) {
    expect(readLanguage(code)).toBe(code)
    expect(readLanguage(names.of(code === 'jw' ? 'jv' : code)!)).toBe(code)
  }
})

test('returns null for unknown names, and suggests a similar one', () => {
  for (const text of ['', 'xx', 'klingon', '__proto__', 'constructor', '-', 'x'.repeat(10_000)])
    expect(readLanguage(text)).toBeNull()
  expect(nearestLanguage('germn')).toBe('de')
  expect(nearestLanguage('Spansih')).toBe('es')
  expect(nearestLanguage('klingon')).toBeNull()
})

const VARIANTS: [string, string | null][] = [
  ['zh', 'zh'],
  ['zh-CN', 'zh-Hans'],
  ['zh_cn', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['ZH-HANS', 'zh-Hans'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-hant-tw', 'zh-TW'],
  ['zh-TW', 'zh-TW'],
  ['zh-HK', 'zh-HK'],
  ['zh-MO', 'zh-HK'],
  ['cmn-Hant', 'zh-Hant'],
  ['Simplified Chinese', 'zh-Hans'],
  ['繁體中文', 'zh-Hant'],
  ['Chinese', 'zh'],
  ['yue', 'yue'],
  ['yue-HK', 'yue-Hant'],
  ['en-US', 'en'],
  ['en-GB', 'en-GB'],
  ['en-au', 'en-GB'],
  ['pt_BR', 'pt-BR'],
  ['pt-AO', 'pt-PT'],
  ['de-CH', 'de-CH'],
  ['de-AT', 'de'],
  ['es-MX', 'es'],
  ['sr-Latn-RS', 'sr-Latn'],
  ['pa_arab', 'pa-Arab'],
  ['az-Cyrl-AZ', 'az-Cyrl'],
  ['hi-Latn', 'hi-Latn'],
  ['auto', null],
  ['klingon', null],
  ['xx-TW', null],
]
for (const [written, variant] of VARIANTS)
  test(`${written} is written as ${variant}`, () => {
    expect(readLanguageVariant(written)).toBe(variant)
    if (variant !== null) expect(readLanguage(variant)).toBe(baseLanguage(variant))
  })
