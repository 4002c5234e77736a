// A transcription server that waits instead of computing: five servers and workers then fit on two cores. Its text is a
// function of the speech, so that a result that belongs to another recording is noticed.

import { sha256 } from '../support/kept-view.ts'

export type WaitingEngine = { url: string; stop(): Promise<void> }

const SHORTEST_MS = 1000
const LONGEST_MS = 4000

const waitByHash = (hash: string) => {
  const share = Number.parseInt(hash.slice(0, 4), 16) / 0xffff
  return Bun.sleep(SHORTEST_MS + share * (LONGEST_MS - SHORTEST_MS))
}

/** By default it waits one to four seconds. */
export function startWaitingEngine(wait: (hash: string) => Promise<void> = waitByHash): WaitingEngine {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (new URL(request.url).pathname === '/v1/models')
        return Response.json({ data: [{ id: 'whisper-1' }] })
      const file = (await request.formData()).get('file') as File
      const hash = sha256(await file.arrayBuffer())
      await wait(hash)
      const segment = { start: 0, end: 1, text: `Speech ${lettersOf(hash)}.` }
      return Response.json({ language: 'en', segments: [segment] })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/v1`, stop: () => server.stop(true) }
}

/** Digits would be formatted as numbers. */
const lettersOf = (hash: string): string =>
  [...hash.slice(0, 12)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
