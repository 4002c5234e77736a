// Loads damaged model files, one after another, and checks the server's error, its delay, and that the server continues.
// Exits with 1 if a file was accepted, or rejected late or without a reason.

import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import { median, milliseconds, type Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { bundledBytes } from '../support/ggml.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf, wordsApart } from '../support/speech.ts'
import { type Damage, damagesOf } from './damages.ts'

const USAGE = `usage: npm run torture -- damaged-models [--short]
Loads model files that are truncated, changed in header, table, vocabulary or weights, of another format, not files, or
changed while loaded. Each must be rejected within seconds and with a reason, and the bundled model must still work.
--short tries a few of each kind. The full form writes its section of RELIABILITY.md.`

const { short = false } = optionsOrExit({ short: { type: 'boolean' } }, USAGE)

/** On a busy machine too; the file is read once in this time. */
const MAX_MS = 10_000
const SPOKEN = 'short-01.flac'

type Answer = { ok: boolean; code: string; detail: string; tookMs: number }

async function post(url: string, init: RequestInit): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(url, { method: 'POST', ...init })
  const body = (await response.json()) as { code?: string; detail?: string }
  const tookMs = performance.now() - startedAt
  return { ok: response.ok, code: body.code ?? '', detail: body.detail ?? '', tookMs }
}

const load = ({ url }: RunningServer, name: string) => post(`${url}/models/${name}/load`, {})

/** Transcribes a recording with a model, or with the default one. */
async function transcribe({ url }: RunningServer, model?: string): Promise<Answer & { text: string }> {
  const startedAt = performance.now()
  const body = await formOf(SPOKEN, model === undefined ? {} : { model })
  const response = await fetch(`${url}/transcribe`, { method: 'POST', body })
  const answer = (await response.json()) as { text?: string; code?: string; detail?: string }
  return {
    ...{ ok: response.ok, code: answer.code ?? '', detail: answer.detail ?? '', text: answer.text ?? '' },
    tookMs: performance.now() - startedAt,
  }
}

const faultIn = (answer: Answer, { code, detail }: Damage['expected']): string | null => {
  if (answer.ok) return 'was accepted'
  if (answer.code !== code || !detail.test(answer.detail)) return `returned: ${answer.code} ${answer.detail}`
  return answer.tookMs > MAX_MS ? `was rejected after ${milliseconds(answer.tookMs)}` : null
}

/** Disposed at the end, and on an interrupt. */
const world = new AsyncDisposableStack()
let ending: Promise<void> | null = null
const end = () => (ending ??= world.disposeAsync())
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(130)))

async function main(): Promise<number> {
  const modelsFolder = await mkdtemp(join(tmpdir(), 'dictation-damaged-models-'))
  world.defer(() => rm(modelsFolder, { recursive: true, force: true }))
  // Before the start, the models folder has what a crash may leave.
  await mkdir(join(modelsFolder, '.downloads'))
  await writeFile(join(modelsFolder, '.downloads', 'base-q5_1.part'), '')
  await writeFile(join(modelsFolder, '.checked-models.json'), '{"half')
  const server = world.use(await startServer({ env: { DICTATION_MODELS_DIR: modelsFolder } }))
  return attack(server, modelsFolder)
}

async function attack(server: RunningServer, modelsFolder: string): Promise<number> {
  const whole = await bundledBytes()
  const broken: string[] = []
  const tookMs = new Map<string, number[]>()
  const { text } = await transcribe(server)
  if (text === '') broken.push('the bundled model returns no text')
  const stillWorks = async (after: string) => {
    const again = await transcribe(server)
    if (!again.ok || wordsApart(again.text, text) > 0)
      broken.push(`after ${after} the bundled model returns: ${again.code} ${again.text}`)
  }

  for (const damage of damagesOf(whole, { short })) {
    const path = join(modelsFolder, damage.file)
    await damage.make(path)
    const answer = await load(server, damage.name)
    const fault = faultIn(answer, damage.expected)
    if (fault !== null) broken.push(`${damage.what}: ${fault}`)
    tookMs.set(damage.kind, [...(tookMs.get(damage.kind) ?? []), answer.tookMs])
    await rm(path, { recursive: true, force: true })
  }
  await stillWorks('all damages')

  const path = join(modelsFolder, 'ggml-mine.bin')
  await writeFile(path, whole)
  const loaded = await load(server, 'mine')
  const transcribed = await transcribe(server, 'mine')
  if (!loaded.ok || transcribed.text !== text)
    broken.push(`an undamaged file was rejected: ${loaded.detail}${transcribed.detail}`)
  await truncate(path, whole.length >> 1)
  const whileLoaded = await transcribe(server, 'mine')
  const fault = faultIn(whileLoaded, { code: 'model_unreadable', detail: /it ends within/ })
  if (fault !== null) broken.push(`truncated while it was loaded: ${fault}`)
  tookMs.set('truncated while it was loaded', [whileLoaded.tookMs])
  await rm(path)
  const gone = await transcribe(server, 'mine')
  if (gone.ok || gone.code !== 'unknown_model') broken.push(`removed while it was loaded: ${gone.code}`)
  await stillWorks('changes to a loaded model')

  return report(tookMs, broken)
}

const HOW = `A damaged model file is rejected within ${MAX_MS / 1000} seconds, with the position and the reason, and the bundled model still works.
The files are truncated at many positions, or have extreme numbers in the header or the tensor table, weights that are not numbers,
a wrong vocabulary; some are not files, or change while they are loaded. Each is requested with \`POST /models/{name}/load\`.`

async function report(tookMs: Map<string, number[]>, broken: string[]): Promise<number> {
  const rows: Row[] = [...tookMs].map(([kind, all]) => ({
    what: kind,
    value: `${all.length} rejected`,
    note: `median ${milliseconds(median(all))}, slowest ${milliseconds(Math.max(...all))}`,
  }))
  for (const { what, value, note } of rows) console.log(`${what}: ${value} (${note})`)
  for (const one of broken) console.error(one)
  if (!short && broken.length === 0)
    await writeSection({
      title: 'Damaged models',
      command: 'npm run torture -- damaged-models',
      how: HOW,
      table: rowsAsTable(rows),
    })
  return broken.length === 0 ? 0 : 1
}

process.exit(await main().finally(end))
