import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { readOptions } from '../../scripts/options.ts'

const options = {
  all: { type: 'boolean' },
  ids: { type: 'string' },
  since: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const
const read = (...args: string[]) => readOptions(options, args)

test('accepts options in any order, with values after a space or an equals sign', () => {
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
  ['an unknown option', ['--frobnicate', '-x'], ['Unknown option --frobnicate.', 'Unknown option -x.']],
  ['names of inherited properties', ['--constructor'], ['Unknown option --constructor.']],
  ['a typo', ['--sinse', '7d'], ['Unknown option --sinse; did you mean "--since"?']],
  ['an option without its value', ['--all', '--ids'], ['--ids needs a value.']],
  ['an option in the place of a value', ['--ids', '--all'], ['--ids needs a value.']],
  ['an empty value', ['--ids='], ['--ids needs a value.']],
  ['an unexpected value', ['--all=yes'], ['--all takes no value.']],
  ['an option that is given twice', ['--ids', 'a', '--ids', 'b'], ['--ids is given twice.']],
  [
    'several errors at once',
    ['--ids', '--every', '--all=1', '--since'],
    ['--ids needs a value.', '--all takes no value.', '--since needs a value.'],
  ],
]
for (const [why, args, sentences] of wrong)
  test(`refuses ${why}`, () => expect(read(...args)).toEqual({ ok: false, failure: sentences.join('\n') }))

const scripts = [...['bench', 'torture', 'check', 'bench-search', 'bench-engine', 'openapi']].map(
  (name) => `scripts/${name}.ts`,
)
const harnesses = ['batch/retranscribe', 'crash/kill', 'fuzz/malformed-uploads', 'fuzz/malformed-audio'].map(
  (name) => `test/${name}.ts`,
)
for (const script of [...scripts, ...harnesses])
  test(`${script} refuses an unknown option and points to --help`, async () => {
    const path = resolve(import.meta.dir, '../..', script)
    const child = Bun.spawn([process.execPath, path, '--frobnicate'], { stdout: 'pipe', stderr: 'pipe' })
    const errors = await new Response(child.stderr).text()
    expect([await child.exited, errors]).toEqual([
      2,
      'Unknown option --frobnicate.\nRun with --help for usage.\n',
    ])
  })
