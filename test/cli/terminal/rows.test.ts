import { expect, test } from 'bun:test'
import { idCell, rowsText } from '../../../src/cli/terminal/rows.ts'

const rows = [
  ['a', idCell('01980000-0000-7000-8000-00000000abcd'), 'first\nline\tend'],
  ['日本', 'b', '\x1b[31mred and more words than fit'],
]

test('a terminal shows aligned lines that fit, without control characters', () => {
  expect(rowsText(rows, { isTTY: true, columns: 30 })).toBe(
    'a     0000abcd  first line end\n日本  b         [31mred and m…',
  )
})

test('a program receives whole values between tabs', () => {
  expect(rowsText(rows, {})).toBe(
    'a\t01980000-0000-7000-8000-00000000abcd\tfirst line end\n日本\tb\t[31mred and more words than fit',
  )
})
