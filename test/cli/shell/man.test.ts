// The manual page, as groff formats it.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }

/** Bold text: a character, a backspace, and the character again. */
const OVERSTRUCK = new RegExp(`.${String.fromCharCode(8)}`, 'g')

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')

/** npm installs it. */
const committed = resolve(import.meta.dir, '../../..', packageJson.man)

test('the committed page is up to date (npm run man writes it)', async () => {
  const page = Bun.spawnSync([process.execPath, main, 'man']).stdout.toString()
  expect(await Bun.file(committed).text()).toBe(page)
})

test.skipIf(Bun.which('groff') === null)(
  'groff formats the page without a warning, and it has every command',
  () => {
    const formatted = Bun.spawnSync(['groff', '-man', '-ww', '-Tascii', committed])
    expect([formatted.exitCode, formatted.stderr.toString()]).toEqual([0, ''])
    const text = formatted.stdout.toString().replaceAll(OVERSTRUCK, '')
    for (const line of [
      'dictation transcribe PATH... [options]',
      'dictation server install [options]',
      'EXIT STATUS',
    ])
      expect(text).toContain(line)
  },
)
