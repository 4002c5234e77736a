import { expect, test } from 'bun:test'
import { countWords } from '../../src/captures/capture.ts'

const COUNTS: [string, number][] = [
  ["I don't know 3.5 mails, ok?", 6],
  ['我们明天去北京', 4],
  ['สวัสดีครับวันนี้', 4],
  ['今日は会議', 3],
  ['한국어 음성 인식', 3],
  ['नमस्ते दुनिया', 2],
  ['مرحبا بالعالم', 2],
  ['🎉 ... — !', 0],
  ['', 0],
]

for (const [text, count] of COUNTS)
  test(`${text || 'nothing'} has ${count} words`, () => {
    expect(countWords(text)).toBe(count)
  })
