// dictation models pull: downloads a Whisper model, through the running server or without one. Without a name it lists
// the models.

import type { Given } from '../command.ts'
import { ServerFailure } from '../connection/server-client.ts'
import { EXIT, exitWith } from '../terminal/exit.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import { duration, type Report, speedOf } from '../terminal/report.ts'
import { type Cell, rowsText } from '../terminal/rows.ts'
import type { Tools } from '../tools.ts'
import { sizeCell } from './models.ts'
import type { OfferedModel, Progress, Source } from './source.ts'
import { modelSource } from './which-source.ts'

/** Frequent enough for a program that reads the events. */
const EVENT_EVERY_PERCENT = 5

export async function pullModel(tools: Tools, { args }: Given): Promise<number> {
  const source = await modelSource(tools)
  const [name] = args
  return name === undefined ? listAll(source, tools) : get(source, name, tools.report)
}

async function listAll(source: Source, { report, isJson }: Tools): Promise<number> {
  const models = await source.list()
  const text = isJson ? models.map(jsonOf).join('\n') : rowsText(models.map(rowOf))
  report.result(`${text}\n`)
  return EXIT.done
}

const jsonOf = ({ name, displayName, downloaded, recommended, sizeMb }: OfferedModel): string =>
  JSON.stringify({
    event: 'model',
    model_name: name,
    display_name: displayName,
    size_mb: sizeMb,
    downloaded,
    recommended,
  })

const rowOf = ({ name, displayName, downloaded, recommended, sizeMb }: OfferedModel): Cell[] => [
  name,
  sizeCell(sizeMb),
  displayName,
  downloaded ? 'installed' : recommended ? 'recommended' : '',
]

async function get(source: Source, name: string, report: Report): Promise<number> {
  let interruption: Promise<void> | null = null
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interruption ??= source.interrupt().then((sentence) => {
        report.say(sentence)
        void exitWith(EXIT.interrupted)
      })
    })
  const outcome = await source.get(name, progressReporter(report))
  // The download has ended because of the interruption.
  await interruption
  if (outcome.status === 'refused') throw refusal(outcome)
  if (outcome.status === 'failed') throw new CommandFailure(outcome.message)
  report.event(outcome.status, { model_name: outcome.name })
  report.note(
    outcome.status === 'complete'
      ? `${outcome.name} is installed and verified.`
      : `${outcome.name} is already installed.`,
  )
  return EXIT.done
}

function refusal({ code, message }: { code: string; message: string }): CommandFailure {
  if (code === 'unknown_model' || code === 'invalid_request') return new UsageError(message)
  if (['unreachable', 'unauthorized', 'untrusted_server'].includes(code))
    return new ServerFailure(code, message)
  return new CommandFailure(message, { code })
}

function progressReporter({ progress, event }: Report): (at: Progress) => void {
  let lastStep = ''
  return ({ status, current, total, bytesPerSecond, etaSeconds }) => {
    const [done, all] = [current, total ?? 0].map((bytes) => Math.round(bytes / 1_000_000)) as [
      number,
      number,
    ]
    const speed = bytesPerSecond === null ? '' : `  ${speedOf(bytesPerSecond)}`
    const left = etaSeconds === null ? '' : `  ${duration(etaSeconds)} left`
    progress({ done, total: all, text: status === 'verifying' ? 'MB  verifying' : `MB${speed}${left}` })
    const percent = total === null ? 0 : Math.floor((current * 100) / total)
    const step = `${status} ${Math.floor(percent / EVENT_EVERY_PERCENT)}`
    if (step === lastStep) return
    lastStep = step
    event(status, { percent, current, total, bytes_per_second: bytesPerSecond, eta_seconds: etaSeconds })
  }
}
