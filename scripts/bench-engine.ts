// Compares our engine with its peers and its kernels with the machine's peak. Reports results next to goals; never
// fails.

import { openMaterial } from './bench/engine/clips.ts'
import { type Compared, type Comparison, compare, rowsOf } from './bench/engine/comparisons.ts'
import { headlineOf } from './bench/engine/headline.ts'
import { measureLarge, measureLoadAndMemory } from './bench/engine/load-and-memory.ts'
import { readBenchOptions, USAGE } from './bench/engine/options.ts'
import { measureShape, SHAPES_BESIDE } from './bench/engine/shapes.ts'
import { measureTrimming } from './bench/engine/trimming.ts'
import { writeFigures } from './bench/figures.ts'
import { kernelFigures, measureKernels, shareOfPeak } from './bench/kernels.ts'
import { lineOf, type Row, ratio } from './bench/table.ts'

/** For the whole short form, by performance.now(), which starts with the process. */
const SHORT_UNTIL_MS = 45_000
/** Limit for a comparison in the long form, not counting each peer's first run. */
const COMPARISON_MS = 240_000

const options = readBenchOptions(process.argv.slice(2))
if (!options.ok) {
  console.error(`${options.failure}\nRun with --help for usage.`)
  process.exit(2)
}
if (options.value === null) {
  console.log(USAGE)
  process.exit(0)
}
const { short, large, shapes, json, rounds } = options.value

await using material = await openMaterial()
const elevenSeconds = await material.clip('human-1')
const tinyFull = {
  title: '11 s clip, tiny.en q5_1, full window',
  clip: elevenSeconds,
  model: material.tiny,
  trim: false,
}

const print = (rows: Row[]) => {
  for (const row of rows) console.log(lineOf(row))
}

const measureShort = async () => {
  const faster = process.env.FASTER_WHISPER_PYTHON ? { faster_whisper: 0.7 } : {}
  const goals = { native: 1.3, shout: 6, ...faster }
  const compared = await compare({ ...tinyFull, threads: 2, goals }, { rounds, untilMs: SHORT_UNTIL_MS })
  print(rowsOf(compared))
  return compared
}

const comparisons = async (): Promise<Comparison[]> => {
  const tiny = { ...tinyFull, half: await material.tinyHalf() }
  const base = {
    title: '11 s clip, base q5_1, full window',
    clip: elevenSeconds,
    model: material.base,
    half: await material.baseHalf(),
    trim: false,
  }
  const spanish = {
    title: '8 s clip in Spanish, base q5_1, full window',
    clip: await material.clip('language-es', 'es'),
    model: material.base,
    trim: false,
  }
  const german = {
    ...spanish,
    title: '11 s clip in German, base q5_1, full window',
    clip: await material.spokenClip('fleurs-de-003.ogg'),
  }
  const trimmed = {
    title: '5.3 s clip, tiny.en q5_1, trimmed window',
    clip: await material.clip('human-4'),
    model: material.tiny,
    trim: true,
  }
  const trimmedBase = { ...trimmed, title: '5.3 s clip, base q5_1, trimmed window', model: material.base }
  const goals = { native: 1.3, native_f16: 1, shout: 6 }
  return [1, 2].flatMap((threads) => [
    { ...tiny, threads, goals: { ...goals, faster_whisper: 0.7 }, ...(threads === 2 && { maxTokenMs: 5 }) },
    {
      ...base,
      threads,
      goals: { ...goals, faster_whisper: 0.7 },
      ...(threads === 2 && { maxTokenMs: 9 }),
    },
    ...[spanish, german].map((one) => ({ ...one, threads, goals: { native: 1.3, faster_whisper: 0.7 } })),
    ...[trimmed, trimmedBase].map((one) => ({ ...one, threads, goals: { native: 4, faster_whisper: 1.3 } })),
  ])
}

const threadRows = (compared: Compared[]): Row[] =>
  compared
    .filter(({ threads }) => threads === 1)
    .map(({ title, ours }) => {
      const two = compared.find((other) => other.title === title && other.threads === 2)!
      return {
        what: `${title}: 1 thread ÷ 2 threads`,
        value: ratio(ours.ms, two.ours.ms),
        goal: '≥ 1.7',
      }
    })

const measureAll = async (): Promise<Compared> => {
  const compared: Compared[] = []
  for (const comparison of await comparisons()) {
    console.error(`${comparison.title}, ${comparison.threads} …`)
    const found = await compare(comparison, { rounds, untilMs: performance.now() + COMPARISON_MS })
    print(rowsOf(found))
    compared.push(found)
  }
  const kernels = await measureKernels({ ...tinyFull, threads: 1 })
  const tiny = { what: 'tiny.en q5_1', model: material.tiny, rounds, maxMs: 300, maxMib: 150 }
  const base = { what: 'base q5_1', model: material.base, rounds, maxMs: 600 }
  const small = { what: "small's shape q5_1", model: await material.forced('small'), rounds: 1, maxMib: 250 }
  const rest = [...threadRows(compared), shareOfPeak(kernels)]
  for (const limits of [tiny, base, small]) rest.push(...(await measureLoadAndMemory(limits)))
  for (const model of [material.tiny, material.base]) rest.push(await measureTrimming(model))
  print(rest)
  const command = `npm run bench -- engine --rounds ${rounds}`
  await writeFigures('Engine', {
    command,
    how: `Medians of ${rounds} rounds, peers in turn within each round, after one that warms them up. All decode greedily, with timestamps and without falling back to other temperatures; times are from samples to text with the model loaded, native whisper.cpp's as its command line prints them. Small's shape has random weights that make every engine write the same 30 words.`,
    rows: [...compared.flatMap(rowsOf), ...rest],
  })
  await writeFigures('Kernels', { command, ...kernelFigures(kernels) })
  return compared.find(({ title, threads }) => title === tinyFull.title && threads === 2)!
}

const measureLargeModels = async () => {
  const rows: Row[] = []
  for (const size of ['medium', 'large-v3-turbo'] as const) {
    rows.push(...(await measureLarge(`${size}'s shape q5_0`, await material.forced(size, 'q5_0'), rounds)))
  }
  print(rows)
  await writeFigures('Large models', {
    command: `npm run bench -- engine --large --rounds ${rounds}`,
    how: `Medians of ${rounds} rounds, each in a new process, 2 threads. Random weights that make the engine write 30 words; loading finds the file in the system's cache.`,
    rows,
  })
}

const measureShapes = async (python: string) => {
  const rows: Row[] = []
  for (const { size, goal } of SHAPES_BESIDE) {
    console.error(`${size} …`)
    const model = size === 'base' ? material.base : await material.forced(size)
    const comparison = { size, model, clip: elevenSeconds, python, threads: 2, rounds, goal }
    rows.push(...(await measureShape(comparison)))
  }
  print(rows)
  await writeFigures('Encoders and tokens of all sizes', {
    command: `npm run bench -- engine --shapes --rounds ${rounds}`,
    how: `Medians of ${rounds} rounds in turn, after one that warms up, on 2 threads: the encoder for a full window of 30 s, and a token written greedily. Weights are in q5_1, base's real ones and random ones of the other shapes; CTranslate2's are random and in int8.`,
    rows,
  })
}

if (large) await measureLargeModels()
else if (shapes) {
  const python = process.env.FASTER_WHISPER_PYTHON
  if (!python) {
    console.error('--shapes needs FASTER_WHISPER_PYTHON.\nRun with --help for usage.')
    process.exit(2)
  }
  await measureShapes(python)
} else {
  const headline = headlineOf(await (short ? measureShort() : measureAll()))
  if (json) console.log(JSON.stringify(headline))
}
