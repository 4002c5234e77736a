// Statuses that an operation returns only in a certain state: taken, busy, gone, built in, full. Each test creates its state.

import { describe, expect, test } from 'bun:test'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolderTurn, DOWNLOADS_FOLDER, type FolderTurn } from '../../../src/models/part-file.ts'
import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { formOf } from '../../support/speech.ts'
import { until } from '../../support/until.ts'
import { codeOf, expectFault } from './faults.ts'
import { formWith, modelFile } from './recordings.ts'
import { type Subject, startSubject } from './subject.ts'
import { INSTALLED, MULTILINGUAL } from './valid-input.ts'

export function testStates(subject: Subject): void {
  const { server, document, client, operation, json, keep, kept, keptJob, existing, spokenId } = subject
  const call = (id: string, more: Parameters<typeof client.call>[1] = {}) => client.call(operation(id), more)
  const audio = (headers: Record<string, string>) =>
    call('getCaptureAudio', { path: { id: kept.id }, headers })

  describe('statuses that need a certain state', () => {
    test('returns the page to a browser at the root path', async () => {
      const page = await call('getRoot', { headers: { accept: 'text/html' } })
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    })

    test('returns audio ranges, an unchanged copy, and an error for a range outside', async () => {
      const whole = await audio({})
      expect((await audio({ range: 'bytes=0-9' })).status).toBe(206)
      expect((await audio({ 'if-none-match': whole.headers.get('etag')! })).status).toBe(304)
      expect(codeOf(await audio({ range: 'bytes=99999999-' }))).toBe('range_not_satisfiable')
    })

    test('returns every format of POST /transcribe, including events', async () => {
      const transcribe = (fields: [string, string][]) => call('transcribe', { body: formWith(fields) })
      for (const format of ['text', 'srt', 'vtt']) {
        expect((await transcribe([['response_format', format]])).status).toBe(200)
      }
      const stream = await transcribe([['stream', 'true']])
      expect(stream.headers.get('content-type')).toStartWith('text/event-stream')
      const done = JSON.parse(/event: done\ndata: (.*)\n/.exec(stream.text)![1]!)
      const { schema } = operation('transcribe').answers['200']!.content!['application/json']!
      expect([document.validator(schema!)(done), done.text]).toEqual([true, ''])
      const mixed = await transcribe([
        ['stream', 'true'],
        ['response_format', 'srt'],
      ])
      expectFault(mixed, 'form', '/response_format', 'a stream of subtitles')
    }, 180_000)

    test('runs a spoken instruction, and one from a capture', async () => {
      const spoken = await call('runCommand', { body: await formOf('short-01.flac') })
      expect([spoken.status, spoken.json.status]).toEqual([200, 'unsupported'])
      expect((await json('runCommand', { capture_id: await spokenId() })).status).toBe(200)
      const missing = await json('runCommand', { capture_id: crypto.randomUUID() })
      expect(codeOf(missing)).toBe('capture_not_found')
    }, 120_000)

    test('handles bulk requests with a plan, a missing model and unknown ids', async () => {
      const plan = await json('retranscribeCaptures', { filter: {}, dry_run: true })
      expect([plan.status, plan.json.total > 0]).toEqual([200, true])
      const { json: refused } = await json('retranscribeCaptures', { filter: {}, model: 'large-v3' })
      expect(refused.code).toBe('model_not_installed')
      const ids = [crypto.randomUUID()]
      expect(codeOf(await json('exportCaptures', { ids }))).toBe('capture_not_found')
      expect((await json('exportCaptures', { ids: [kept.id], audio: true })).status).toBe(200)
      const batch = await existing(operation('cancelBatch'))
      await until(async () => (await call('getBatch', { path: batch })).json.state !== 'running')
      expect(codeOf(await call('cancelBatch', { path: batch }))).toBe('batch_finished')
    }, 180_000)

    test('cancels work in progress; silence may be too short for it', async () => {
      const { id } = await keep('false', await formOf('paragraph-1.flac'))
      const jobs = await call('listJobs', { query: [['capture_id', id]] })
      expect((await call('cancelJob', { path: { id: jobs.json.items[0].id } })).status).toBe(200)
    }, 180_000)

    test('rejects saved commands with a name that is taken', async () => {
      const content = { name: 'Twice', triggers: ['once more please'], steps: ['sort lines'] }
      expect((await json('createCommand', content)).status).toBe(201)
      expect(codeOf(await json('createCommand', content))).toBe('command_exists')
      const other = await existing(operation('replaceCommand'))
      expect(codeOf(await json('replaceCommand', content, other))).toBe('command_exists')
    })

    test('rejects dictionary entries for a word that exists', async () => {
      const word = crypto.randomUUID()
      expect((await json('createDictionaryEntry', { word })).status).toBe(201)
      const other = await existing(operation('getDictionaryEntry'))
      const answers = [
        await json('createDictionaryEntry', { word }),
        await json('replaceDictionaryEntry', { word }, other),
        await json('updateDictionaryEntry', { word }, other),
      ]
      for (const answer of answers) expect(codeOf(answer)).toBe('dictionary_entry_exists')
    })

    test('handles writing styles that are taken, built in, the default, or custom', async () => {
      const send = async (id: string, style: string | null, body?: object) => {
        const path = style === null ? {} : { id: style }
        const received = body ? await json(id, body, path) : await call(id, { path })
        return [received.status, codeOf(received)]
      }
      const [builtIn, other] = BUILTIN_STYLES.map(({ id }) => id) as [string, string]
      const own = await existing(operation('deleteWritingStyle'))
      expect((await send('resetWritingStyle', builtIn))[0]).toBe(200)
      const taken = { name: 'DEFAULT' }
      await send('setDefaultWritingStyle', builtIn)
      expect(await send('createWritingStyle', null, taken)).toEqual([409, 'writing_style_exists'])
      expect(await send('replaceWritingStyle', other, taken)).toEqual([409, 'writing_style_exists'])
      expect(await send('updateWritingStyle', other, taken)).toEqual([409, 'writing_style_exists'])
      expect(await send('updateWritingStyle', builtIn, { enabled: false })).toEqual([409, 'style_is_default'])
      expect(await send('deleteWritingStyle', builtIn)).toEqual([409, 'style_is_built_in'])
      expect(await send('resetWritingStyle', own.id!)).toEqual([409, 'style_is_custom'])
    })

    test('handles models that are installed, bundled, too large, or missing', async () => {
      expect((await json('downloadModel', { model_name: INSTALLED })).status).toBe(200)
      const twice = formWith([['name', MULTILINGUAL]], modelFile())
      expect(codeOf(await call('importModel', { body: twice }))).toBe('model_exists')
      expect(await declaredTooLarge(server.url)).toStartWith('HTTP/1.1 413')
      client.seen.add('importModel 413')
      expect(codeOf(await call('deleteModel', { path: { name: INSTALLED } }))).toBe('model_is_bundled')
      const notHere = { name: 'large-v3' }
      expect(codeOf(await call('loadModel', { path: notHere }))).toBe('model_not_installed')
      const query: [string, string][] = [['model_size', 'large-v3']]
      expect(codeOf(await call('loadAnyModel', { query }))).toBe('model_not_installed')
      const body = { model: 'large-v3' }
      const again = await json('retranscribeCapture', body, { id: kept.id })
      expect(codeOf(again)).toBe('model_not_installed')
    })

    test('handles a models folder that another program writes a model to', async () => {
      const turn = createFolderTurn(join(server.dataFolder, 'models'))
      // A download of an earlier test may still be running.
      const taken = await until(() => takeTurn(turn))
      const download = await json('downloadModel', { model_name: 'whisper-small' })
      const brought = await call('importModel', { body: formWith([['name', 'other']], modelFile()) })
      expect([codeOf(download), codeOf(brought)]).toEqual(['model_folder_busy', 'model_folder_busy'])
      taken.giveBack()
    })

    test('handles a read-only models folder', async () => {
      const folder = join(server.dataFolder, 'models', DOWNLOADS_FOLDER)
      await rename(folder, `${folder}-away`)
      await writeFile(folder, 'a file in place of the folder')
      const download = await json('downloadModel', { model_name: 'whisper-small' })
      const brought = await call('importModel', { body: formWith([['name', 'other']], modelFile()) })
      expect([codeOf(download), codeOf(brought)]).toEqual(['folder_not_writable', 'folder_not_writable'])
      await rm(folder)
      await rename(`${folder}-away`, folder)
    })

    test('handles captures that are busy, idle, or without audio', async () => {
      const path = { id: kept.id }
      const again = (wait: string) => call('retranscribeCapture', { path, query: [['wait', wait]] })
      await until(async () => (await again('true')).status === 200)
      const twice = await Promise.all([again('false'), again('false'), again('false')])
      expect(twice.map(({ status }) => status)).toEqual(expect.arrayContaining([202, 409]))
      await until(async () => (await call('cancelCapture', { path })).status === 409)
      const finished = await call('cancelJob', { path: { id: keptJob } })
      expect(codeOf(finished)).toBe('job_finished')
      await rm(join(server.dataFolder, kept.audio_path))
      expect(codeOf(await again('true'))).toBe('audio_gone')
      expect(codeOf(await audio({}))).toBe('audio_gone')
      await rm(join(server.dataFolder, kept.audio_path.replace(/\.\w+$/, '.peaks')), { force: true })
      expect(codeOf(await call('getCaptureWaveform', { path }))).toBe('audio_gone')
    }, 240_000)
  })
}

async function takeTurn(turn: FolderTurn): Promise<{ giveBack(): void } | null> {
  const taken = await turn.take()
  return taken.ok ? taken.value : null
}

/** The status line for a request that declares more than any engine can hold; fetch cannot send a false length. */
function declaredTooLarge(url: string): Promise<string> {
  const { hostname, port, host } = new URL(url)
  const head = [
    'POST /models/import HTTP/1.1',
    `host: ${host}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${2 ** 40}`,
  ]
  return new Promise((answer, reject) => {
    void Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(`${head.join('\r\n')}\r\n\r\n--b\r\n`),
        data(socket, bytes) {
          answer(bytes.toString().split('\r\n')[0]!)
          socket.end()
        },
        error: (_socket, error) => reject(error),
      },
    })
  })
}

/** Uses its own server, which accepts one recording at a time. */
export function testBusyServer(seen: Set<string>): void {
  test('handles a full queue and a busy engine', async () => {
    const busy = await startSubject({ DICTATION_MAX_QUEUE: '1' })
    const call = (id: string, more: object = {}) => busy.client.call(busy.operation(id), more)
    try {
      const spoken = { id: await busy.spokenId() }
      const unfinished = holdOpen(busy.server.url)
      const isFull = async () => (await call('transcribe', { body: formWith([]) })).status === 429
      await until(isFull)
      const foreign = ['OpenAiTranscription', 'OpenAiTranslation', 'AzureTranscription', 'AzureTranslation']
      for (const id of [...foreign.map((name) => `create${name}`), 'createInference', 'runCommand']) {
        const received = await call(id, { body: formWith([]) })
        expect([received.status, codeOf(received)], id).toEqual([429, 'queue_full'])
      }
      await unfinished.release()

      // Some seconds of work, so that the following requests arrive while it runs.
      const speech = await formOf('long-3-minutes.flac')
      const upload = () => call('createCapture', { query: [['wait', 'false']], body: speech })
      const first = (await upload()).json
      await until(async () => (await upload()).status === 429)
      expect((await call('retranscribeCapture', { path: { id: busy.kept.id } })).status).toBe(429)
      expect((await call('refineCapture', { path: spoken })).status).toBe(429)
      const corrected = await busy.json('correctSegment', { text: 'no' }, { id: first.id, n: '0' })
      expect(codeOf(corrected)).toBe('capture_busy')
      const restored = await call('restoreCaptureVersion', { path: { id: first.id, n: '1' } })
      expect(codeOf(restored)).toBe('capture_busy')
      expect(codeOf(await call('unloadModel', { path: { name: INSTALLED } }))).toBe('model_in_use')
      expect(codeOf(await call('unloadAnyModel'))).toBe('model_in_use')
      const path = { id: first.id }
      expect(codeOf(await call('refineCapture', { path }))).toBe('capture_busy')
      expect((await call('cancelCapture', { path })).status).toBe(200)
      expect(codeOf(await call('refineCapture', { path }))).toBe('capture_has_no_text')
      const batch = await busy.json('retranscribeCaptures', { ids: [spoken.id] })
      const cancelled = await call('cancelBatch', { path: { id: batch.json.batch_id } })
      expect([cancelled.status, cancelled.json.state]).toEqual([200, 'canceled'])
      for (const pair of busy.client.seen) seen.add(pair)
    } finally {
      await busy.stop()
    }
  }, 240_000)
}

/** A recording that continues until it is released. */
function holdOpen(url: string) {
  let close = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('--b\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nx'))
      close = () => controller.close()
    },
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const answer = fetch(`${url}/transcribe`, { method: 'POST', headers, body })
  return {
    async release() {
      close()
      await (await answer).text()
    },
  }
}
