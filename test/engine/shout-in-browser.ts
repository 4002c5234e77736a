// Runs shout in Chromium, which takes two thirds of Bun's time; WebAssembly's arithmetic is the same everywhere. For recording
// results only.

import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { readScriptCall } from '../../wasm/shout/script-call.ts'
import type { ShoutResult } from '../../wasm/shout/shout.ts'
import { openBrowser } from '../support/browser.ts'
import { withRounding } from './rounding-shout.ts'

export type ShoutInBrowser = {
  /** one call at a time; @param samples at least a second; @throws if there is no result within 15 minutes */
  transcribe(samples: Float32Array): Promise<ShoutResult>
  close(): Promise<void>
}

/** A transcription takes 30 s on a quiet machine; after a trap no result ever arrives. */
const DEADLINE_MS = 900_000

const SCRIPTS = resolve(import.meta.dir, '../../node_modules/@transcribe/shout/src/shout')
const SHOUT = 'shout.wasm.js'
const THREAD = 'shout.wasm.worker.mjs'

export const readShoutScript = () => Bun.file(resolve(SCRIPTS, SHOUT)).text()

/** Passes shout's script to the page as text, because it may be invalid (script-call.ts). */
const THREAD_PRELUDE =
  "globalThis.eval = (script) => postMessage({ cmd: 'callHandler', handler: 'onScript', args: [script] })\n"

/** Required for shared memory in a page. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

const served = (body: ArrayBuffer | string, type: string) =>
  new Response(body, { headers: { ...ISOLATION, 'content-type': type } })

type Answers = Record<string, () => { body: ArrayBuffer | string; type: string }>

const serve = (answers: Answers) =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const answer = answers[new URL(request.url).pathname]?.()
      return answer ? served(answer.body, answer.type) : new Response(null, { status: 404 })
    },
  })

/** Runs in the page. */
const OPEN = `(async () => {
  const { default: createModule } = await import('/${SHOUT}')
  const lines = []
  const nothing = () => {}
  globalThis.shout = await createModule({
    print: nothing, onProgress: nothing, onNewSegment: nothing, onTranscribed: nothing,
    printErr: (line) => lines.push(line),
    onScript: (script) => script.includes('onTranscribed') && globalThis.finish(script),
  })
  const model = await (await fetch('/model')).arrayBuffer()
  shout.FS_createDataFile('/', 'model.bin', new Uint8Array(model), true, true, true)
  shout.init('model.bin', '')
  shout.FS_unlink('/model.bin')
  return lines.at(-1)
})()`

/** Runs in the page: one thread, English, no translation, no segment limit, with captions and token times. */
const TRANSCRIBE = `(async () => {
  const samples = new Float32Array(await (await fetch('/samples')).arrayBuffer())
  return await new Promise((resolve, reject) => {
    globalThis.finish = resolve
    const code = shout.transcribe(samples, 'en', 1, false, 0, false, false, true)
    if (code !== 0) reject(new Error('code ' + code))
  })
})()`

const openPage = async (page: Page, url: string) => {
  await page.goto(url)
  const lastLine: unknown = await page.evaluate(OPEN)
  if (!String(lastLine).includes('compute buffer (decode)')) throw new Error(String(lastLine))
}

const transcribeIn = async (page: Page) => {
  const late = Bun.sleep(DEADLINE_MS).then(() => null)
  const call = readScriptCall(String(await Promise.race([page.evaluate(TRANSCRIBE), late])))
  if (!call) throw new Error('shout does not answer')
  return call.args[0] as ShoutResult
}

/** @param rounds round activations instead of truncating them */
export const openShoutInBrowser = async (model: Uint8Array, rounds: boolean): Promise<ShoutInBrowser> => {
  const script = await readShoutScript()
  const thread = await Bun.file(resolve(SCRIPTS, THREAD)).text()
  let samples = new Float32Array()
  const server = serve({
    '/': () => ({ body: '<!doctype html>', type: 'text/html' }),
    [`/${SHOUT}`]: () => ({ body: rounds ? withRounding(script) : script, type: 'text/javascript' }),
    [`/${THREAD}`]: () => ({ body: THREAD_PRELUDE + thread, type: 'text/javascript' }),
    '/model': () => ({ body: model.slice().buffer, type: 'application/octet-stream' }),
    '/samples': () => ({ body: samples.buffer, type: 'application/octet-stream' }),
  })
  const browser = await openBrowser()
  const close = async () => {
    await browser.close()
    await server.stop(true)
  }
  try {
    const page = await browser.newPage()
    await openPage(page, server.url.href)
    return {
      transcribe: async (input) => {
        samples = input.slice()
        return await transcribeIn(page)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
