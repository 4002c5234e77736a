// Names of exported files.

import { expect, test } from 'bun:test'
import { createExportNames } from '../../../src/http/captures/export.ts'

const recordedAt = new Date(2026, 0, 31, 23, 59)
const named = (...titles: string[]) => {
  const nameOf = createExportNames()
  return titles.map((title) => nameOf({ recordedAt, title }))
}

test('builds a name from the day and the title', () => {
  expect(named('A talk about 猫', 'note.flac')).toEqual(['2026-01-31 A talk about 猫', '2026-01-31 note'])
})

test('makes names unique, also for file systems that ignore case or normalise Unicode', () => {
  expect(named('Note', 'note', 'Note', 'Note (2)', 'e\u0301', '\u00e9')).toEqual([
    '2026-01-31 Note',
    '2026-01-31 note (2)',
    '2026-01-31 Note (3)',
    '2026-01-31 Note (2) (2)',
    '2026-01-31 é',
    '2026-01-31 é (2)',
  ])
})

const HOSTILE = [
  ...[
    '../../etc/passwd',
    '..\\..\\windows',
    '/absolute',
    'C:\\x',
    'a/b',
    'a\u0000b',
    'a\nb',
    '\u202egpj.exe',
  ],
  ...[
    '',
    '   ',
    '...',
    '.hidden',
    'ends with a dot.',
    'x'.repeat(5000),
    '👍🏽'.repeat(500),
    '\ud800',
    'nul',
    'COM1.txt',
  ],
]
for (const title of HOSTILE)
  test(`refuses to use a title as a path: ${JSON.stringify(title.slice(0, 30))}`, () => {
    const [name] = named(title)
    expect(name).toMatch(/^2026-01-31( [^\s.].*)?$/u)
    expect(name).not.toMatch(/[\p{Cc}\p{Cf}<>:"/\\|?*]|[. ]$/u)
    expect(Buffer.byteLength(name!)).toBeLessThan(360)
    expect(name!.isWellFormed()).toBe(true)
  })
