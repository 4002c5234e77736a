// Plays recordings to the live socket in real time and reports how late the words are. Reports only; no limits.

import { availableParallelism, loadavg } from 'node:os'
import { SAMPLE_RATE } from '../src/engine/engine.ts'
import { asFloats } from '../test/support/live.ts'
import { startServer } from '../test/support/server.ts'
import { recording, wordsApart } from '../test/support/speech.ts'
import { wavOf } from '../test/support/wav.ts'
import { writeFigures } from './bench/figures.ts'
import { type LiveClip, liveClips } from './bench/live-clips.ts'
import { type LiveFigures, liveFigures, type TimedWord } from './bench/live-figures.ts'
import { type Played, playLive } from './bench/live-play.ts'
import { lineOf, percentile, type Row, seconds } from './bench/table.ts'
import { optionsOrExit } from './options.ts'

const usage = `usage: npm run bench -- live [--short] [--model NAME]
Plays a minute of recordings twice in real time, with tiny.en and base or only one of them,
and rewrites their sections of BENCHMARKS.md; --short plays two of them and only prints.`

const values = optionsOrExit({ short: { type: 'boolean' }, model: { type: 'string' } }, usage)
const GOALS = {
  'tiny.en': { finalP50: 0.35, finalP95: 0.7 },
  base: { finalP50: 0.6, finalP95: 1.2 },
} as const
type Model = keyof typeof GOALS
const isModel = (name: string): name is Model => Object.hasOwn(GOALS, name)
const models = values.model === undefined ? (Object.keys(GOALS) as Model[]) : [values.model]
const SILENCE_MS = 1000

/** `wrongInFinals`, `wrongInBatch`: words that differ from what was said */
type Measured = LiveFigures & {
  finalMs: number
  unequal: number
  wrongInFinals: number
  wrongInBatch: number
}

async function byBatch(url: string, model: Model, samples: Int16Array) {
  const form = new FormData()
  form.set('file', wavOf(asFloats(samples)), 'said.wav')
  for (const [name, value] of Object.entries({ model, language: 'en', word_timestamps: 'true' }))
    form.set(name, value)
  const response = await fetch(`${url}/transcribe`, { method: 'POST', body: form })
  if (response.status !== 200) throw new Error(`batch: ${response.status} ${await response.text()}`)
  return (await response.json()) as { text: string; segments: { words: TimedWord[] }[] }
}

/** Finals that differ from the batch transcript of the audio between their times. */
async function unequalFinals(
  url: string,
  model: Model,
  { messages, samples }: Played & { samples: Int16Array },
) {
  let unequal = 0
  for (const { message } of messages.filter((one) => one.message.type === 'final')) {
    const [from, to] = [message.start, message.end].map((second) => Math.round(second * SAMPLE_RATE))
    const { text } = await byBatch(url, model, samples.subarray(from, to))
    if (text !== message.text) unequal++
  }
  return unequal
}

type Ending = 'release' | 'silence'

async function play(url: string, model: Model, { clip, ending }: { clip: LiveClip; ending: Ending }) {
  const spokenMs = (clip.samples.length * 1000) / SAMPLE_RATE
  const silence = ending === 'silence' ? 2.5 * SILENCE_MS * (SAMPLE_RATE / 1000) : 0
  const samples = new Int16Array(clip.samples.length + silence)
  samples.set(clip.samples)
  const query = new URLSearchParams({ model, language: 'en', silence_ms: String(SILENCE_MS) })
  const played = await playLive(`${url.replace('http', 'ws')}/transcribe/live?${query}`, samples)
  const batch = await byBatch(url, model, samples)
  const finals = played.messages.filter(({ message }) => message.type === 'final')
  const last = finals.at(-1)
  if (!last) throw new Error(`no text for ${clip.file}`)
  const { text: said } = recording(clip.file)
  const measured: Measured = {
    wrongInFinals: wordsApart(finals.map(({ message }) => message.text).join(' '), said),
    wrongInBatch: wordsApart(batch.text, said),
    ...liveFigures(
      played,
      batch.segments.flatMap(({ words }) => words),
    ),
    finalMs: last.atMs - (ending === 'release' ? played.stopMs : spokenMs + SILENCE_MS),
    unequal: await unequalFinals(url, model, { ...played, samples }),
  }
  return measured
}

async function measure(model: Model): Promise<Row[]> {
  await using server = await startServer({ env: { DICTATION_LOG_LEVEL: 'info' } })
  const clips = await liveClips(values.short === true)
  await play(server.url, model, { clip: clips[0]!, ending: 'release' })
  const all: Measured[] = []
  const rows: Row[] = []
  const endings = {
    release: 'delay from `stop`, sent right after the last word, to the final text',
    silence: `delay from the end of an utterance (${SILENCE_MS} ms of silence) to the final text`,
  }
  for (const [ending, what] of Object.entries(endings) as [Ending, string][]) {
    const measured: Measured[] = []
    for (const clip of clips) {
      const one = await play(server.url, model, { clip, ending })
      console.error(`${model} ${ending} ${clip.file}: final ${Math.round(one.finalMs)} ms`)
      measured.push(one)
    }
    const { finalP50, finalP95 } = GOALS[model]
    const times = measured.map(({ finalMs }) => finalMs)
    rows.push(...halfAndMost(what, times, { p50: finalP50, p95: finalP95, of: `${times.length} clips` }))
    all.push(...measured)
  }
  const wordMs = all.flatMap((one) => one.wordMs)
  const sum = (of: (one: Measured) => number) => all.reduce((total, one) => total + of(one), 0)
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
  return [
    ...halfAndMost('delay from the end of a word to its first appearance', wordMs, {
      ...{ p50: 0.9, p95: 2, of: `${wordMs.length} words` },
    }),
    ...rows,
    {
      what: 'confirmed words that the final changed',
      value: share(
        sum(({ changed }) => changed),
        sum(({ confirmed }) => confirmed),
      ),
      goal: '≤ 1 %',
      note: `${sum(({ changed }) => changed)} of ${sum(({ confirmed }) => confirmed)}`,
    },
    {
      what: 'wrong words in the finals',
      value: String(sum(({ wrongInFinals }) => wrongInFinals)),
      note: `${sum(({ wrongInBatch }) => wrongInBatch)} in the transcript of the whole clip, which is not cut at pauses; the goal is two rows below: the transcript of the same audio`,
    },
    {
      what: 'words in which the finals differ from the transcript of the whole clip',
      value: String(sum(({ wrong }) => wrong)),
      note: `of ${sum(({ words }) => words)}; ${sum(({ finals }) => finals)} finals in ${all.length} clips; ${sum(({ unshown }) => unshown)} words of the transcript were never shown`,
    },
    {
      what: 'finals that differ from the transcript of the same audio',
      value: String(sum(({ unequal }) => unequal)),
      goal: '≤ 0',
    },
    {
      what: 'load average of the machine over five minutes',
      value: loadavg()[1]!.toFixed(1),
      note: `with ${availableParallelism()} processors; above 1, other programs used them too, and times are longer than on a quiet machine`,
    },
  ]
}

type HalfAndMost = { p50: number; p95: number; of: string }

const halfAndMost = (what: string, times: number[], { p50, p95, of }: HalfAndMost): Row[] => [
  { what: `${what}, p50`, value: seconds(percentile(times, 0.5)), goal: `≤ ${p50} s`, note: of },
  { what: `${what}, p95`, value: seconds(percentile(times, 0.95)), goal: `≤ ${p95} s` },
]

for (const model of models) {
  if (!isModel(model)) {
    console.error(`--model must be one of ${Object.keys(GOALS).join(', ')}\n${usage}`)
    process.exit(2)
  }
  const rows = await measure(model)
  for (const row of rows) console.log(`${model}: ${lineOf(row)}`)
  if (values.short) continue
  await writeFigures(`Live, ${model}`, {
    command: `npm run bench -- live --model ${model}`,
    how: `Recordings of \`test/speech\`, played to \`WS /transcribe/live\` in packets of 100 ms, each at the moment its last sample was spoken; each clip once with \`stop\` after its last word and once with 2.5 s of silence. A clip ends with the last 20 ms that are less than 30 dB below its loudest; the ends of words are those of the transcript of the whole clip by the same model (± 0.1 s).`,
    rows,
  })
}
