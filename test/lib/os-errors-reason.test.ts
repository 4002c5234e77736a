import { expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { networkReason, systemReason } from '../../src/lib/os-errors.ts'

const reasonOf = (work: Promise<unknown>) => work.then(() => 'no error', systemReason)

test('returns the system message and its code, without the path', async () => {
  const folder = await mkdtemp(join(tmpdir(), "dictation reason's, "))
  await writeFile(join(folder, 'file'), '')
  expect(await reasonOf(readFile(join(folder, 'none')))).toBe('no such file or directory (ENOENT)')
  expect(await reasonOf(readFile(folder))).toMatch(/\(EISDIR\)$/)
  expect(await reasonOf(readFile(join(folder, 'file', 'in it')))).toBe('not a directory (ENOTDIR)')
  await rm(folder, { recursive: true })
})

test('returns null for a bug in the code', () => {
  expect(systemReason(new TypeError('x is undefined'))).toBeNull()
  expect(systemReason(Object.assign(new Error('wrong'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBeNull()
  expect(systemReason('a string')).toBeNull()
})

test('returns only the code of a network error', async () => {
  const error = await fetch('http://127.0.0.1:1').catch((failure: unknown) => failure)
  expect(networkReason(error)).toBe(' (ECONNREFUSED)')
  expect(networkReason(new Error('no code'))).toBe('')
})
