import { describe, expect, test } from 'bun:test'
import { scriptWriterOf, writePieces } from '../../src/text/chinese-script.ts'

const written = async (language: string, text: string) => (await scriptWriterOf(language))!(text)

describe('converts a text to the script of its language tag', () => {
  const mixed = '頭发發展,皇后在后面,台湾的軟件。'
  test.each([
    ['zh-Hans', '头发发展,皇后在后面,台湾的软件。'],
    ['zh-Hant', '頭髮發展,皇后在後面,臺灣的軟件。'],
    ['zh-TW', '頭髮發展,皇后在後面,臺灣的軟件。'],
    ['zh-HK', '頭髮發展,皇后在後面,台灣的軟件。'],
    ['yue-Hant', '頭髮發展,皇后在後面,台灣的軟件。'],
  ])('%s', async (language, expected) => {
    expect(await written(language, mixed)).toBe(expected)
    expect(await written(language, expected)).toBe(expected)
  })

  test('returns null for other languages, and for Chinese without a script', async () => {
    for (const language of [null, 'zh', 'yue', 'en', 'en-GB', 'ja', '__proto__', 'constructor'])
      expect(await scriptWriterOf(language)).toBeNull()
  })
})

test('converts pieces like the whole text', async () => {
  const write = (await scriptWriterOf('zh-TW'))!
  const pieces = ['头', '发', '很干', '净', '', '。', ' 👍🏽 ', '发', '展']
  expect(writePieces(pieces, write)).toEqual(['頭', '髮', '很乾', '淨', '', '。', ' 👍🏽 ', '發', '展'])
})

test('converts pieces one by one if the number of characters changes', () => {
  const longer = (text: string) => text.replaceAll('a', 'ae')
  expect(writePieces(['a', 'b', 'c'], longer)).toEqual(['ae', 'b', 'c'])
})
