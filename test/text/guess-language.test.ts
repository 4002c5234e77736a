import { expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { guessLanguage } from '../../src/text/guess-language.ts'

test.each([
  ['um so I think we should meet on Tuesday at three', 'en'],
  ['also ähm ich glaube wir treffen uns am Montag', 'de'],
  ['je pense que nous devons partir demain matin', 'fr'],
  ['creo que nos vemos el lunes por la tarde', 'es'],
  ['penso che ci vediamo lunedì alla stazione con gli altri', 'it'],
  ['eu acho que nós não podemos ir amanhã', 'pt'],
  ['ik denk dat we elkaar morgen op het station zien', 'nl'],
  ['明天我们去北京', 'zh'],
  ['明日は会議があります', 'ja'],
])('%s', (text, language) => {
  expect(guessLanguage(text)).toBe(language)
})

test.each(['', 'OK', 'Berlin Hamburg Kassel', '12 34', 'Привет как дела', 'de la', 'x y z'])(
  'does not guess about %p',
  (text) => {
    expect(guessLanguage(text)).toBeNull()
  },
)

test('guesses the language of the refinement pairs, rarely a wrong one', async () => {
  const folder = join(import.meta.dir, 'refinement/pairs')
  for (const file of await readdir(folder)) {
    const language = file.slice(0, 2)
    const pairs: { input: string }[] = JSON.parse(await readFile(join(folder, file), 'utf8'))
    const guesses = pairs.map(({ input }) => guessLanguage(input))
    const wrong = guesses.filter((guess) => guess !== null && guess !== language)
    expect(wrong.length, `${file}: ${wrong}`).toBeLessThanOrEqual(pairs.length / 20)
    expect(guesses.filter((guess) => guess === language).length, file).toBeGreaterThan(pairs.length / 5)
  }
})
