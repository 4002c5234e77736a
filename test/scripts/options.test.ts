// What scripts make of the options they are started with.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { readOptions } from '../../scripts/client/options.ts'

const options = {
  all: { type: 'boolean' },
  ids: { type: 'string' },
  since: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const
const read = (...args: string[]) => readOptions(options, args)

test('options stand in any order, values behind them or after a sign', () => {
  expect(read('one', '--since=2026-01-31', '--all', '--ids', 'a,b', '-h', 'two')).toEqual({
    ok: true,
    value: {
      values: Object.assign(Object.create(null), { since: '2026-01-31', all: true, ids: 'a,b', help: true }),
      positionals: ['one', 'two'],
    },
  })
  expect(read('--', '--all')).toMatchObject({ ok: true, value: { positionals: ['--all'] } })
})

const wrong: [why: string, args: string[], sentences: string[]][] = [
  ['what is no option', ['--frobnicate', '-x'], ['--frobnicate is no option.', '-x is no option.']],
  ['the names of other things', ['--constructor'], ['--constructor is no option.']],
  ['an option without its value', ['--all', '--ids'], ['--ids needs a value.']],
  ['an option in the place of a value', ['--ids', '--all'], ['--ids needs a value.']],
  ['an empty value', ['--ids='], ['--ids needs a value.']],
  ['a value that nobody asked for', ['--all=yes'], ['--all takes no value.']],
  ['an option that is given twice', ['--ids', 'a', '--ids', 'b'], ['--ids is given twice.']],
  [
    'all of it at once',
    ['--ids', '--every', '--all=1', '--since'],
    ['--ids needs a value.', '--all takes no value.', '--since needs a value.'],
  ],
]
for (const [why, args, sentences] of wrong)
  test(`refuses ${why}`, () => expect(read(...args)).toEqual({ ok: false, failure: sentences.join('\n') }))

const scripts = [
  ...[
    'retranscribe',
    'import',
    'transcribe',
    'get-model',
    'bench',
    'bench-search',
    'bench-engine',
    'openapi',
  ],
].map((name) => `scripts/${name}.ts`)
const harnesses = ['batch/retranscribe', 'crash/kill', 'fuzz/malformed-uploads', 'fuzz/malformed-audio'].map(
  (name) => `test/${name}.ts`,
)
for (const script of [...scripts, ...harnesses])
  test(`${script} refuses an option that is none, and says where to look`, async () => {
    const path = resolve(import.meta.dir, '../..', script)
    const child = Bun.spawn([process.execPath, path, '--frobnicate'], { stdout: 'pipe', stderr: 'pipe' })
    const errors = await new Response(child.stderr).text()
    expect([await child.exited, errors]).toEqual([
      2,
      '--frobnicate is no option.\n--help shows how it is used.\n',
    ])
  })
