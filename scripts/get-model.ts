// npm run get-model: downloads a Whisper model, through the running server or without one. Without a name it lists the
// models.

import { readConfig } from '../src/config.ts'
import { bypassProxyLocally } from '../src/lib/bypass-proxy.ts'
import { addressOf, noAddress } from './client/address.ts'
import { EXIT, exitWith } from './client/exit.ts'
import { announcedServer, holderCheck, readTrust } from './client/holder.ts'
import { npmHint, takenByNpm } from './client/npm-options.ts'
import { readOptions } from './client/options.ts'
import { createReport, duration, type Report, speedOf } from './client/report.ts'
import { noServerMessage, ServerFailure } from './client/server.ts'
import { tokenFor } from './client/token.ts'
import { localModels } from './get-model/local.ts'
import { isServer, serverModels } from './get-model/remote.ts'
import type { ListedModel, Progress, Source } from './get-model/source.ts'

const HELP = `Downloads a Whisper model into the models folder and verifies its SHA-256. Resumes an interrupted download.

usage: npm run get-model -- [NAME] [options]

NAME is a size (base, small.en, turbo), a file (base.en-q5_1), or any ggml file of the hub by its full name
(owner/repository/ggml-name.bin). Without a name, lists the models.

  --server URL          download through this server [DICTATION_URL, or the running one if any]
  --trust-server        skip the check that a program of yours listens at that address
                        (also DICTATION_TRUST_SERVER=yes)
  --json                list the models as one JSON object per line
  --help                this text

A running server does the download and continues it if this command ends. Without one, the command downloads the
model itself; HF_ENDPOINT and the setting model_base_url name a mirror. If the server requires a token, it is read from
DICTATION_TOKEN or from the file that the server created (auto). Shows a progress bar on a terminal, otherwise a JSON
object per step.
Exit codes: 0 installed, 1 the download failed, 2 invalid options or unknown model, 3 the server refused or is not
running, 130 interrupted.`

const OPTIONS = {
  server: { type: 'string' },
  'trust-server': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Frequent enough for a program that reads the events. */
const EVENT_EVERY_PERCENT = 5

const report = createReport(process.stdout, process.stderr)

function complain(message: string, code: number): number {
  report.event('failed', { message })
  report.say(message)
  return code
}

const misused = (what: string): number =>
  complain(`${what}${npmHint()}\nRun with --help for usage.`, EXIT.usage)

async function main(): Promise<number> {
  bypassProxyLocally(process.env)
  const given = readOptions(OPTIONS)
  const wrong = given.ok ? takenByNpm(OPTIONS, given.value.values) : given.failure
  if (!given.ok || wrong !== null) return misused(String(wrong))
  const { values, positionals } = given.value
  if (values.help) {
    process.stdout.write(`${HELP}\n`)
    return EXIT.done
  }
  if (positionals.length > 1) return misused('Name one model at a time.')
  const typed = values.server ?? (process.env.DICTATION_URL || null)
  const named = typed === null ? null : addressOf(typed)
  if (typed !== null && named === null) return complain(noAddress(String(typed)), EXIT.usage)
  const trust = readTrust(values['trust-server'] === true, named !== null)
  if (!trust.ok) return complain(`${trust.failure}\nRun with --help for usage.`, EXIT.usage)
  const source = await sourceOf(named, trust.value)
  if (typeof source === 'string') return complain(source, EXIT.server)
  const [name] = positionals
  return name === undefined ? listAll(source, values.json === true) : get(source, name)
}

/** The running server, or null; a message if the named one does not respond. */
async function sourceOf(named: string | null, isTrusted: boolean): Promise<Source | string> {
  const config = readConfig(process.env)
  if (!config.ok) return config.failure
  const { dataFolder, port } = config.value
  const usual = async () => [(await announcedServer(dataFolder))?.url, `http://127.0.0.1:${port}`]
  for (const url of named === null ? await usual() : [named]) {
    if (url === undefined || !URL.canParse(url)) continue
    const checkHolder = holderCheck(url, { isTrusted, dataFolder })
    const fault = await checkHolder()
    if (fault !== null && named !== null) return fault
    if (fault === null && (await isServer(url)))
      return serverModels(url, await tokenFor(process.env, url), checkHolder)
  }
  if (named !== null) return noServerMessage(named)
  return localModels(config.value)
}

async function listAll(source: Source, isForPrograms: boolean): Promise<number> {
  for (const model of await source.list()) console.log(isForPrograms ? jsonOf(model) : lineOf(model))
  return EXIT.done
}

const jsonOf = ({ name, displayName, downloaded, recommended, sizeMb }: ListedModel): string =>
  JSON.stringify({
    event: 'model',
    model_name: name,
    display_name: displayName,
    size_mb: sizeMb,
    downloaded,
    recommended,
  })

const lineOf = ({ name, displayName, downloaded, recommended, sizeMb }: ListedModel): string => {
  const note = downloaded ? 'installed' : recommended ? 'recommended' : ''
  return `${name.padEnd(22)}${`${sizeMb ?? '?'} MB`.padStart(8)}  ${displayName.padEnd(40)}${note}`.trimEnd()
}

async function get(source: Source, name: string): Promise<number> {
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
  if (outcome.status === 'refused') {
    report.event('failed', { code: outcome.code, message: outcome.message })
    report.say(outcome.message)
    return exitCodeOf(outcome.code)
  }
  if (outcome.status === 'failed') return complain(outcome.message, EXIT.someFailed)
  report.event(outcome.status, { model_name: outcome.name })
  report.say(
    outcome.status === 'complete'
      ? `${outcome.name} is installed and verified.`
      : `${outcome.name} is already installed.`,
  )
  return EXIT.done
}

const exitCodeOf = (code: string): number => {
  if (code === 'unknown_model' || code === 'invalid_request') return EXIT.usage
  return ['unreachable', 'unauthorized', 'untrusted_server'].includes(code) ? EXIT.server : EXIT.someFailed
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

try {
  await exitWith(await main())
} catch (error) {
  if (!(error instanceof ServerFailure)) throw error
  await exitWith(complain(error.message, EXIT.server))
}
