// Applies a correction of the transcript to the refined text.

import { expect, test } from 'bun:test'
import { carriedOver } from '../../src/captures/correct-segment.ts'

const CARRIED: [what: string, transcribed: string, corrected: string, refined: string, expected: string][] = [
  [
    'a word that is there',
    'um so meet me on munday morning',
    'um so meet me on Monday morning',
    'So meet me on munday morning.',
    'So meet me on Monday morning.',
  ],
  ['the first word, which got a capital', 'helo world', 'hello world', 'Helo world.', 'Hello world.'],
  ['one word that becomes two', 'a goodbye b', 'a good bye b', 'A goodbye, b.', 'A good bye, b.'],
  ['a word that was missing', 'I said that', 'I never said that', 'I said that.', 'I never said that.'],
  ['a word at the end', 'I said', 'I said so', 'I said', 'I said so'],
  ['a word at the beginning', 'said so', 'I said so', 'Said so.', 'I Said so.'],
  ['hallucinated words', 'well thank you yes', 'well yes', 'Well thank you yes.', 'Well yes.'],
  ['the first words', 'thank you well yes', 'well yes', 'Thank you well yes.', 'well yes.'],
  ['several places at once', 'a b c d e', 'a x c y e', 'A b c d e.', 'A x c y e.'],
  ['Japanese', '今日は雨です', '今日は晴れです', '今日は、雨です。', '今日は、晴れです。'],
  ['line breaks around it', 'one two three', 'one 2 three', 'One\n\ntwo\nthree', 'One\n\n2\nthree'],
  ['nothing', 'one two', 'one two', 'One two.', 'One two.'],
]
for (const [what, transcribed, corrected, refined, expected] of CARRIED)
  test(`applies a correction to the refined text: ${what}`, async () => {
    expect(await carriedOver(transcribed, corrected, refined)).toBe(expected)
  })

const LOST: [what: string, transcribed: string, corrected: string, refined: string][] = [
  ['was left out', 'um meet me', 'hmm meet me', 'Meet me.'],
  ['was rewritten', 'we shud go now', 'we should go now', 'Let us leave.'],
  ['was torn apart', 'a b c', 'a x c', 'C, a'],
]
for (const [what, transcribed, corrected, refined] of LOST)
  test(`refuses to guess where the corrected text ${what}`, async () => {
    expect(await carriedOver(transcribed, corrected, refined)).toBeNull()
  })
