// A long recording by the server, from file to text, and by faster-whisper's batched pipeline, from samples to text.

import type { ModelFile } from '../../src/engine/engine.ts'
import type { RunningServer } from '../../test/support/server.ts'
import { wordsApart, wordsOf } from '../../test/support/speech.ts'
import { openFasterWhisper } from './engine/faster-whisper.ts'
import { median, type Row, ratio, seconds } from './table.ts'
import { THREADS, timed, transcribeFile } from './transcribers.ts'

export type LongRecording = { what: string; path: string; said: string }

type Deps = { server: RunningServer; python: string; model: ModelFile; rounds: number }

/** The two take turns, after one warm-up round. */
export async function measureBesideBatched(
  { what, path, said }: LongRecording,
  { server, python, model, rounds }: Deps,
): Promise<Row[]> {
  const clip = { wavFile: path, language: 'en' }
  const peer = await openFasterWhisper(python, { clip, model, threads: THREADS }, 'batched')
  const times = { server: [] as number[], peer: [] as number[] }
  let [ours, theirs] = [await transcribeFile(server, path), (await peer.transcribe()).text]
  for (let round = 0; round < rounds; round++) {
    times.server.push(
      await timed(async () => {
        ours = await transcribeFile(server, path)
      }),
    )
    const result = await peer.transcribe()
    times.peer.push(result.ms)
    theirs = result.text
  }
  await peer.close()
  const wrong = (text: string) => `${wordsApart(text, said)} of ${wordsOf(said).length} words wrong`
  return [
    { what: `${what}: server`, value: seconds(median(times.server)), note: wrong(ours) },
    { what: `${what}: ${peer.name}, batched`, value: seconds(median(times.peer)), note: wrong(theirs) },
    {
      what: `${what}: faster-whisper, batched ÷ server`,
      value: ratio(median(times.peer), median(times.server)),
      goal: '≥ 1.0',
    },
  ]
}
