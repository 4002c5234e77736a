// The contract test of every engine, run with the bundled model. Whisper in WebAssembly takes seconds per clip, so each
// transcription here checks several things.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineOptions } from '../../src/engine/create-engine.ts'
import type { Engine, ModelFile, Segment, WindowRequest } from '../../src/engine/engine.ts'
import { createProbeModel } from '../../src/engine/probe-model.ts'
import { silentLog } from '../../src/lib/log.ts'
import { testAtLength } from '../support/at-length.ts'
import { samplesOf } from '../support/flac.ts'
import { asMultilingual, bundledBytes, bundledModel, withTokens } from '../support/ggml.ts'
import { recording, wordsApart } from '../support/speech.ts'
import { until } from '../support/until.ts'

/** Allows for a busy machine. */
const PATIENCE_MS = 300_000

const CLIP = 'human-4.flac'

const latin1 = (text: string) => [...Buffer.from(text, 'latin1')]

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const engineContract = (
  name: string,
  create: (options: EngineOptions) => Engine,
  describeEngine = describe,
) =>
  describeEngine(`${name} as an engine`, () => {
    let folder: string
    let engine: Engine
    let samples: Float32Array
    const pids: number[] = []

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dictation-engine-'))
      samples = await samplesOf(CLIP)
      const debug = (fields: object) => {
        if ('pid' in fields) pids.push(Number(fields.pid))
      }
      engine = create({ threads: 2, heartbeatTimeoutMs: 5000, log: { ...silentLog, debug } })
    })

    afterAll(async () => {
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    })

    const request = (more: Partial<WindowRequest> = {}): WindowRequest => ({
      model: bundledModel,
      samples,
      language: 'en',
      task: 'transcribe',
      prompt: null,
      signal: new AbortController().signal,
      ...more,
    })

    const forgedModel = async (bytes: Uint8Array): Promise<ModelFile> => {
      const path = join(folder, `ggml-${Bun.randomUUIDv7()}.bin`)
      await Bun.write(path, bytes)
      return { name: 'forged', path, bytes: bytes.length, multilingual: false }
    }

    const currentPid = () => pids.at(-1)!

    let undisturbed: ReturnType<Engine['transcribe']> | undefined
    /** The clip's result from a fresh engine; the first caller also receives its events. */
    const transcribeUndisturbed = (more: Partial<WindowRequest> = {}) =>
      (undisturbed ??= engine.transcribe(request(more)))

    /** Starts a window and waits until the engine works on it. */
    const startWindow = async (more: Partial<WindowRequest> = {}) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const result = engine.transcribe(request({ ...more, onProgress: () => resolve() }))
      await promise
      return { result, pid: currentPid() }
    }

    test(
      'warms up without events, and loads nothing for it',
      async () => {
        engine.warmUp()
        expect(engine.health()).toMatchObject({ state: 'unloaded', loadedModel: null })
        await engine.load(bundledModel)
        engine.warmUp()
        expect(engine.health()).toMatchObject({ state: 'ready', restarts: 0 })
      },
      PATIENCE_MS,
    )

    test(
      'transcribes with words, times and events, despite a warm-up and a cancelled window',
      async () => {
        const progress: number[] = []
        const segments: Segment[] = []
        const onProgress = (fraction: number) => progress.push(fraction)
        const onSegment = (segment: Segment) => segments.push(segment)
        const cancelled = new AbortController()
        await engine.load(bundledModel)
        engine.warmUp()
        const first = transcribeUndisturbed({ onProgress, onSegment })
        const second = engine.transcribe(request({ signal: cancelled.signal }))
        cancelled.abort()

        const result = await first
        if (!result.ok) throw new Error(result.failure.message)
        const text = result.value.segments.map((segment) => segment.text).join(' ')
        expect(wordsApart(text, recording(CLIP).reference)).toBe(0)
        expect(result.value.language).toBe('en')
        expect(segments).toEqual(result.value.segments)
        expect(progress.length).toBeGreaterThan(0)
        expect(progress).toEqual(progress.toSorted((a, b) => a - b))

        const words = result.value.segments.flatMap((segment) => segment.words)
        expect(words.map(({ word }) => word).join(' ')).toBe(text)
        const durationMs = (samples.length / 16_000) * 1000
        for (const [i, { startMs, endMs, probability }] of words.entries()) {
          expect(startMs).toBeGreaterThanOrEqual(words[i - 1]?.startMs ?? 0)
          expect(endMs).toBeGreaterThanOrEqual(startMs)
          expect(endMs).toBeLessThanOrEqual(durationMs + 500)
          expect(probability).toBeGreaterThan(0)
          expect(probability).toBeLessThanOrEqual(1)
        }
        for (const { avgLogprob } of result.value.segments) expect(avgLogprob).toBeLessThan(0)

        expect(await second).toMatchObject({ ok: false, failure: { code: 'aborted' } })
        expect(engine.health()).toEqual({ state: 'ready', loadedModel: bundledModel.name, restarts: 0 })
      },
      PATIENCE_MS,
    )

    test(
      'stops within a second when it is cancelled',
      async () => {
        const cancelled = new AbortController()
        const { result, pid } = await startWindow({ signal: cancelled.signal })
        expect(engine.health().state).toBe('busy')
        const startedAt = performance.now()
        cancelled.abort()
        expect(await result).toMatchObject({ ok: false, failure: { code: 'aborted' } })
        // what the service promises; it takes 20 ms
        expect(performance.now() - startedAt).toBeLessThan(1000)
        expect(engine.health().restarts).toBe(0)
        // The process is idle or has ended; the next window has the result of an undisturbed one.
        if (isRunning(pid)) expect(engine.health().state).toBe('ready')
        const next = await engine.transcribe(request())
        expect(next).toMatchObject({ ok: true })
        expect(next).toEqual(await transcribeUndisturbed())
      },
      PATIENCE_MS,
    )

    test(
      'recovers when its process is killed in the middle of a window',
      async () => {
        const { result, pid } = await startWindow()
        process.kill(pid, 'SIGKILL')
        expect(await result).toMatchObject({ ok: false, failure: { code: 'engine_crashed' } })
        expect(await engine.load(bundledModel)).toMatchObject({ ok: true })
        expect(engine.health()).toMatchObject({ state: 'ready', restarts: 1 })
      },
      PATIENCE_MS,
    )

    testAtLength(
      'replaces a process that hangs',
      async () => {
        const { restarts } = engine.health()
        const { result, pid } = await startWindow()
        process.kill(pid, 'SIGSTOP')
        expect(await result).toMatchObject({ ok: false, failure: { code: 'engine_timeout' } })
        expect(isRunning(pid)).toBe(false)
        expect(await engine.load(bundledModel)).toMatchObject({ ok: true })
        expect(engine.health()).toMatchObject({ state: 'ready', restarts: restarts + 1 })
      },
      PATIENCE_MS,
    )

    test(
      'unloads by ending its process, and reloads',
      async () => {
        await engine.load(bundledModel)
        const pid = currentPid()
        await engine.unload()
        expect(isRunning(pid)).toBe(false)
        expect(engine.health()).toMatchObject({ state: 'unloaded', loadedModel: null })
        expect(await engine.load(bundledModel)).toMatchObject({ ok: true })
        expect(currentPid()).not.toBe(pid)
      },
      PATIENCE_MS,
    )

    test(
      'rejects files that are truncated, foreign, hostile or missing, and survives',
      async () => {
        const whole = await bundledBytes()
        const hostile = whole.slice()
        new DataView(hostile.buffer).setInt32(4 * 5, 2 ** 31 - 1, true)
        const files = [whole.subarray(0, 20_000_000), new TextEncoder().encode('RIFF'), hostile]
        const models = await Promise.all(files.map(forgedModel))
        for (const model of [...models, { ...bundledModel, path: join(folder, 'gone.bin') }]) {
          expect(await engine.load(model)).toMatchObject({ ok: false, failure: { code: 'model_unreadable' } })
        }
        expect(await engine.load(bundledModel)).toMatchObject({ ok: true })
      },
      PATIENCE_MS,
    )

    test(
      'handles line breaks, quotes and partial characters in a vocabulary',
      async () => {
        // " rather" and the parts of "disposed", one of which now ends with half an é
        const tokens = { 2138: latin1(' "\n\\},{'), 6381: latin1('aa\xc3'), 29813: latin1('\xa9osed') }
        const model = await forgedModel(withTokens(await bundledBytes(), tokens))
        const result = await engine.transcribe(request({ model }))
        if (!result.ok) throw new Error(result.failure.message)
        // the context and the commas depend on the engine: one engine quotes the whole text
        expect(
          result.value.segments.map(({ text }) => text.replaceAll(/(?<=\p{L}),/gu, '')).join(' '),
        ).toContain('Unless to be "\n\\},{ cold-hearted and "\n\\},{ selfish is to be ill-aaéosed.')
        expect(result.value.segments.at(-1)!.words.at(-1)!.word).toStartWith('ill-aaéosed.')
      },
      PATIENCE_MS,
    )

    test(
      'detects the language of 0.1 s of audio with a multilingual model',
      async () => {
        const model = { ...(await forgedModel(asMultilingual(createProbeModel()))), multilingual: true }
        const result = await engine.transcribe(
          request({ model, language: null, samples: samples.subarray(0, 1600) }),
        )
        if (!result.ok) throw new Error(result.failure.message)
        expect(result.value.language).toMatch(/^[a-z]{2,3}$/)
      },
      PATIENCE_MS,
    )

    test(
      'leaves no process behind when the server is killed',
      async () => {
        const script = join(import.meta.dir, 'abandoned-fixture.ts')
        const parent = Bun.spawn([process.execPath, script, name], { stdout: 'pipe', stderr: 'inherit' })
        const { value } = await parent.stdout.getReader().read()
        // The fixture prints it at each progress event; a slow reader receives several at once.
        const pid = Number(new TextDecoder().decode(value).split('\n', 1))
        expect(isRunning(pid)).toBe(true)
        parent.kill('SIGKILL')
        await until(() => !isRunning(pid))
      },
      PATIENCE_MS,
    )

    test('rejects everything after close', async () => {
      const other = create({ threads: 1 })
      await other.close()
      expect(await other.load(bundledModel)).toMatchObject({ failure: { code: 'engine_closed' } })
      expect(await other.transcribe(request())).toMatchObject({ failure: { code: 'engine_closed' } })
    })
  })
