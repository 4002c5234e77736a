// whisper.cpp traps on models that pass every check of the file. Uses the smallest model, whose windows take milliseconds.

import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createShoutEngine } from '../../src/engine/create-engine.ts'
import { createProbeModel } from '../../src/engine/probe-model.ts'
import { VOCABULARY_AT } from '../support/ggml.ts'

const folder = await mkdtemp(join(tmpdir(), 'dictation-shout-'))
const engine = createShoutEngine({ threads: 1 })

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const transcribeWindow = async (name: string, bytes: Uint8Array, samples = new Float32Array(16_000)) => {
  const path = join(folder, `ggml-${name}.bin`)
  await Bun.write(path, bytes)
  return engine.transcribe({
    model: { name, path, bytes: bytes.length, multilingual: false },
    samples,
    language: 'en',
    task: 'transcribe',
    prompt: null,
    signal: new AbortController().signal,
  })
}

const NOTHING = { ok: true, value: { language: 'en', languageProbability: null, segments: [] } }

test('returns no text with an empty model', async () => {
  expect(await transcribeWindow('probe', createProbeModel())).toEqual(NOTHING as never)
})

test('reports a trap at once, and serves the next window', async () => {
  const withoutSpace = createProbeModel()
  // each token before it takes four bytes of length and one byte
  withoutSpace[VOCABULARY_AT + 4 + 5 * ' '.charCodeAt(0) + 4] = 'x'.charCodeAt(0)
  expect(await transcribeWindow('without-space', withoutSpace)).toMatchObject({
    failure: { code: 'engine_crashed' },
  })
  expect(engine.health()).toMatchObject({ restarts: 1 })
  expect(await transcribeWindow('probe', createProbeModel())).toEqual(NOTHING as never)
})

test('survives NaN weights and an empty window', async () => {
  const notNumbers = createProbeModel().fill(0xff, -100_000)
  const result = await transcribeWindow('not-numbers', notNumbers)
  if (!result.ok) expect(result.failure.code).toMatch(/^(engine_crashed|model_unreadable)$/)
  expect(await transcribeWindow('probe', createProbeModel(), new Float32Array(0))).toEqual(NOTHING as never)
})
