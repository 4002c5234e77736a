// Puts damaged model files before the server, one after another, and looks what it says of each, how soon, and whether it goes on.
// Exits with 1 where one was taken, or was refused late or without its reason. What the damages are is damages.ts.

import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RELIABILITY, rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import { median, milliseconds, type Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { bundledBytes } from '../support/ggml.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf, wordsApart } from '../support/speech.ts'
import { type Damage, damagesOf } from './damages.ts'

const USAGE = `usage: npm run damaged-models -- [--short]
Model files that are cut, flipped in head, table, vocabulary and weights, foreign or no files at all, or changed while loaded: each
must be refused within seconds and with its reason, and the bundled model goes on.
--short takes a few of each kind. The long form writes its section of RELIABILITY.md.`

const { short = false } = optionsOrExit({ short: { type: 'boolean' } }, USAGE)

/** Of a busy machine too; the file is read once in this time. */
const MOST_MS = 10_000
const SPOKEN = 'short-01.flac'

type Answer = { ok: boolean; code: string; detail: string; tookMs: number }

async function ask(url: string, init: RequestInit): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(url, { method: 'POST', ...init })
  const body = (await response.json()) as { code?: string; detail?: string }
  const tookMs = performance.now() - startedAt
  return { ok: response.ok, code: body.code ?? '', detail: body.detail ?? '', tookMs }
}

const load = ({ url }: RunningServer, name: string) => ask(`${url}/models/${name}/load`, {})

/** The text of a recording by a model, or by whichever is taken. */
async function hear({ url }: RunningServer, model?: string): Promise<Answer & { text: string }> {
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
  if (answer.ok) return 'was taken'
  if (answer.code !== code || !detail.test(answer.detail)) return `was told: ${answer.code} ${answer.detail}`
  return answer.tookMs > MOST_MS ? `was refused after ${milliseconds(answer.tookMs)}` : null
}

/** Ended in any case, when the harness is interrupted too. */
const world = new AsyncDisposableStack()
let ending: Promise<void> | null = null
const end = () => (ending ??= world.disposeAsync())
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(130)))

async function main(): Promise<number> {
  const modelsFolder = await mkdtemp(join(tmpdir(), 'dictation-damaged-models-'))
  world.defer(() => rm(modelsFolder, { recursive: true, force: true }))
  // What a crash may leave in the models folder is there before the start.
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
  const { text } = await hear(server)
  if (text === '') broken.push('the bundled model hears nothing')
  const goesOn = async (after: string) => {
    const heard = await hear(server)
    if (!heard.ok || wordsApart(heard.text, text) > 0)
      broken.push(`after ${after} the bundled model says: ${heard.code} ${heard.text}`)
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
  await goesOn('all damages')

  const path = join(modelsFolder, 'ggml-mine.bin')
  await writeFile(path, whole)
  const loaded = await load(server, 'mine')
  const heard = await hear(server, 'mine')
  if (!loaded.ok || heard.text !== text)
    broken.push(`a whole file was not taken: ${loaded.detail}${heard.detail}`)
  await truncate(path, whole.length >> 1)
  const whileLoaded = await hear(server, 'mine')
  const fault = faultIn(whileLoaded, { code: 'model_unreadable', detail: /it ends within/ })
  if (fault !== null) broken.push(`cut while it was loaded: ${fault}`)
  tookMs.set('cut while it was loaded', [whileLoaded.tookMs])
  await rm(path)
  const gone = await hear(server, 'mine')
  if (gone.ok || gone.code !== 'unknown_model') broken.push(`removed while it was loaded: ${gone.code}`)
  await goesOn('what was done to a loaded model')

  return tell(tookMs, broken)
}

const HOW = `A model file that is damaged is refused within ${MOST_MS / 1000} seconds, with the place and the reason, and the bundled model goes on:
cut at many places, hostile numbers in the head and in the table of tensors, weights that are none, a wrong vocabulary, other
things than files under the name of a model, changed while it was loaded. Each is asked for by \`POST /models/{name}/load\`.`

async function tell(tookMs: Map<string, number[]>, broken: string[]): Promise<number> {
  const rows: Row[] = [...tookMs].map(([kind, all]) => ({
    what: kind,
    value: `${all.length} refused`,
    note: `median ${milliseconds(median(all))}, slowest ${milliseconds(Math.max(...all))}`,
  }))
  for (const { what, value, note } of rows) console.log(`${what}: ${value} (${note})`)
  for (const one of broken) console.error(one)
  if (!short && broken.length === 0)
    await writeSection(
      { title: 'Damaged models', command: 'npm run damaged-models', how: HOW, table: rowsAsTable(rows) },
      RELIABILITY,
    )
  return broken.length === 0 ? 0 : 1
}

process.exit(await main().finally(end))
