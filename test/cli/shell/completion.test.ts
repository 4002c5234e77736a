// Completion in a real bash, by the script that `dictation completion bash` prints.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { testAtLength } from '../../support/at-length.ts'

const launcher = resolve(import.meta.dir, '../../../scripts/dictation.mjs')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-completion-'))
  await symlink(launcher, join(folder, 'dictation'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SCRIPT = `
source <(dictation completion bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
$(complete -p dictation | sed 's/.*-F \\([^ ]*\\).*/\\1/') 2>/dev/null
printf '%s\\n' "$(complete -p dictation)" "\${COMPREPLY[@]}"`

function complete(...typed: string[]): string[] {
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const { stdout } = Bun.spawnSync(['bash', '--norc', '-c', SCRIPT, 'bash', 'dictation', ...typed], { env })
  const [registered, ...found] = stdout.toString().trimEnd().split('\n')
  expect(registered).toBe('complete -o default -F __dictation_complete dictation')
  return found.filter((line) => line !== '')
}

testAtLength.skipIf(Bun.which('bash') === null)(
  'bash completes commands, options and choices, and leaves file names to itself',
  () => {
    expect(complete('transc')).toEqual(['transcribe'])
    expect(complete('server', 'st')).toEqual(['start', 'stop', 'status'])
    expect(complete('transcribe', '--fo')).toEqual(['--format', '--force'])
    expect(complete('transcribe', '--format', 's')).toEqual(['srt'])
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
    expect(complete('transcribe', 'memo')).toEqual([])
    expect(complete('settings', 'get', 'stt')).toEqual(['stt_model'])
    expect(complete('models', 'use', 'tiny')).toEqual(['tiny.en-q5_1'])
    expect(complete('transcribe', '--model', 'base')).toEqual(['base-q5_1'])
    expect(complete('man', '--')).not.toContain('--server')
  },
  120_000,
)

test.each(['zsh', 'fish', 'powershell'])('prints a script for %s', (shell) => {
  const { exitCode, stdout } = Bun.spawnSync(['node', launcher, 'completion', shell])
  expect([exitCode, stdout.toString()]).toEqual([0, expect.stringMatching(/dictation complete '?--/)])
})
