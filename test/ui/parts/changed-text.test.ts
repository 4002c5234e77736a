import { expect, test } from 'bun:test'
import { textChanges } from '../../../src/ui/parts/changed-text.tsx'

const puttingTogether = (before: string, after: string, language: string | null) => {
  const changes = textChanges(before, after, language)
  const without = (kind: string) =>
    changes
      .filter((one) => one.kind !== kind)
      .map(({ text }) => text)
      .join('')
  return { changes, before: without('new'), after: without('gone') }
}

test('a replaced word is one deletion and one insertion', () => {
  const { changes } = puttingTogether('it is on git hub now', 'it is on GitHub now', 'en')
  expect(changes.filter(({ kind }) => kind === 'new').map(({ text }) => text.trim())).toEqual(['GitHub'])
  expect(changes.filter(({ kind }) => kind === 'gone').map(({ text }) => text.trim())).toEqual(['git hub'])
})

test('words are also segmented in a script without spaces', () => {
  const { changes } = puttingTogether('私は猫が好きです', '私は犬が好きです', 'ja')
  expect(changes.filter(({ kind }) => kind !== 'same').map(({ text }) => text)).toEqual(['猫', '犬'])
})

test('the later text is the diff without its deletions, whatever the text contains', () => {
  for (const [before, after] of [
    ['', 'a'],
    ['a', ''],
    ['one two three', 'one 2 three.'],
    ['\u0301a b', 'b \u0301c'],
    ['été', 'ete'],
  ] as const)
    expect(puttingTogether(before, after, null).after).toBe(after.normalize('NFC'))
})
