// Many short captures retranscribed by `npm run retranscribe`, compared with a peer that transcribes their files one by
// one.

import { resolve } from 'node:path'
import type { RunningServer } from '../../test/support/server.ts'
import { formOf, recording, recordingFile, wordsApart, wordsOf } from '../../test/support/speech.ts'
import { until } from '../../test/support/until.ts'
import type { PeerResult } from './engine/peer.ts'
import { type Row, ratio, seconds } from './table.ts'
import { timed } from './transcribers.ts'

/** All short recordings of test/speech, human and synthetic: 2 to 14 s. */
export const SHORT_CLIPS = [
  ...Array.from({ length: 6 }, (_, index) => `human-${index + 1}.flac`),
  ...Array.from({ length: 24 }, (_, index) => `short-${String(index + 1).padStart(2, '0')}.flac`),
]
const PATIENCE_MS = 1_800_000
const script = resolve(import.meta.dir, '../retranscribe.ts')

type Heap = { server: RunningServer; model: string; captures: number }

/** Uploads them and waits for their first transcripts. @returns the clip of each capture */
async function fill({ server, model, captures }: Heap): Promise<Map<string, string>> {
  const clipOf = new Map<string, string>()
  for (let at = 0; at < captures; at++) {
    const clip = SHORT_CLIPS[at % SHORT_CLIPS.length]!
    const form = await formOf(clip, { stt_model: model, language: 'en' })
    const response = await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: form })
    if (response.status !== 202) throw new Error(`capture: ${response.status} ${await response.text()}`)
    clipOf.set((await response.json()).id, clip)
  }
  await until(async () => (await countOf(server, 'completed')) === captures, {
    timeoutMs: PATIENCE_MS,
    what: 'all captures to be transcribed',
  })
  return clipOf
}

async function countOf({ url }: RunningServer, status: string): Promise<number> {
  const response = await fetch(`${url}/captures?limit=1&status=${status}`)
  return (await response.json()).total
}

async function retranscribe({ server, model }: Heap): Promise<void> {
  const command = [process.execPath, script, '--all', '--again', '--model', model, '--server', server.url]
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`retranscribe ended with ${child.exitCode}`)
}

const wrongIn = (texts: { clip: string; text: string }[]): string => {
  const wrong = texts.reduce((sum, { clip, text }) => sum + wordsApart(text, recording(clip).text), 0)
  const words = texts.reduce((sum, { clip }) => sum + wordsOf(recording(clip).text).length, 0)
  return `${wrong} of ${words} words wrong`
}

async function textsOf({ url }: RunningServer, clipOf: Map<string, string>) {
  const texts = []
  for (const [id, clip] of clipOf) {
    const response = await fetch(`${url}/captures/${id}`)
    texts.push({ clip, text: (await response.json()).transcript_raw as string })
  }
  return texts
}

/** A single run: it is long enough to average out noise. */
export async function measureShortCaptures(
  heap: Heap,
  peer: { name: string; transcribeFile(path: string): Promise<PeerResult> },
): Promise<Row[]> {
  const clipOf = await fill(heap)
  const ours = await timed(() => retranscribe(heap))
  const ourTexts = await textsOf(heap.server, clipOf)
  const theirTexts: { clip: string; text: string }[] = []
  const theirs = await timed(async () => {
    for (const clip of clipOf.values()) {
      const { text } = await peer.transcribeFile(recordingFile(clip).name!)
      theirTexts.push({ clip, text })
    }
  })
  const what = `${heap.captures} short captures`
  return [
    { what: `${what}: npm run retranscribe`, value: seconds(ours), note: wrongIn(ourTexts) },
    { what: `${what}: ${peer.name}, file by file`, value: seconds(theirs), note: wrongIn(theirTexts) },
    {
      what: `${what}: faster-whisper ÷ npm run retranscribe`,
      value: ratio(theirs, ours),
      goal: '≥ 1.3',
    },
  ]
}
