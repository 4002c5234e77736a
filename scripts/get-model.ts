// npm run get-model: brings a Whisper model, through the running server or without one, and shows how far it is.
// Without a name it only lists what there is. Everything else is the server's own code.

import { readConfig } from '../src/config.ts'
import { bypassProxyLocally } from '../src/lib/bypass-proxy.ts'
import { addressOf, noAddress } from './client/address.ts'
import { EXIT, exitWith } from './client/exit.ts'
import { announcedServer, holderCheck, readTrust } from './client/holder.ts'
import { npmHint, takenByNpm } from './client/npm-options.ts'
import { readOptions } from './client/options.ts'
import { createReport, duration, type Report, speedOf } from './client/report.ts'
import { nobodyAnswers, ServerFailure } from './client/server.ts'
import { tokenFor } from './client/token.ts'
import { localModels } from './get-model/local.ts'
import { isServer, serverModels } from './get-model/remote.ts'
import type { ListedModel, Progress, Source } from './get-model/source.ts'

const HELP = `Brings a Whisper model into the models folder, checked by its SHA-256. What was interrupted goes on where it stopped.

usage: npm run get-model -- [NAME] [options]

NAME is a size (base, small.en, turbo), a file (base.en-q5_1), or any ggml file of the hub by its full name
(owner/repository/ggml-name.bin). Without a name the models are listed.

  --server URL          let the server there do it [the one that runs, if any; or DICTATION_URL]
  --trust-server        send to that address without checking that a program of yours listens there
                        (also DICTATION_TRUST_SERVER=yes)
  --json                list the models as a JSON object a line
  --help                this text

A running server does the work, and then it goes on when this command ends. Without one the command brings the model
by itself; HF_ENDPOINT and the setting model_base_url name a mirror. The token, where one is demanded, is read from
DICTATION_TOKEN, or from the file that the server has made (auto). On a terminal a bar moves; elsewhere a download tells each step as a JSON object.
Exit codes: 0 it is here, 1 it could not be brought, 2 wrong options or no such model, 3 the server refused or does not run,
130 interrupted.`

const OPTIONS = {
  server: { type: 'string' },
  'trust-server': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** A program that reads along needs no more. */
const EVENT_EVERY_PERCENT = 5

const report = createReport(process.stdout, process.stderr)

function complain(message: string, code: number): number {
  report.event('failed', { message })
  report.say(message)
  return code
}

const misused = (what: string): number =>
  complain(`${what}${npmHint()}\n--help shows how it is used.`, EXIT.usage)

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
  if (positionals.length > 1) return misused('One model at a time, please.')
  const typed = values.server ?? (process.env.DICTATION_URL || null)
  const named = typed === null ? null : addressOf(typed)
  if (typed !== null && named === null) return complain(noAddress(String(typed)), EXIT.usage)
  const trust = readTrust(values['trust-server'] === true, named !== null)
  if (!trust.ok) return complain(`${trust.failure}\n--help shows how it is used.`, EXIT.usage)
  const source = await sourceOf(named, trust.value)
  if (typeof source === 'string') return complain(source, EXIT.server)
  const [name] = positionals
  return name === undefined ? listAll(source, values.json === true) : get(source, name)
}

/** The running server, or none; a sentence where the one that was named does not answer. */
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
  if (named !== null) return nobodyAnswers(named)
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
  const note = downloaded ? 'is here' : recommended ? 'recommended' : ''
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
  const outcome = await source.get(name, progressTeller(report))
  // A download that was interrupted ends as well, but not by itself.
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
      ? `${outcome.name} is here, checked and ready to be used.`
      : `${outcome.name} is here already.`,
  )
  return EXIT.done
}

const exitCodeOf = (code: string): number => {
  if (code === 'unknown_model' || code === 'invalid_request') return EXIT.usage
  return ['unreachable', 'unauthorized', 'untrusted_server'].includes(code) ? EXIT.server : EXIT.someFailed
}

function progressTeller({ progress, event }: Report): (at: Progress) => void {
  let toldAt = ''
  return ({ status, current, total, bytesPerSecond, etaSeconds }) => {
    const [done, all] = [current, total ?? 0].map((bytes) => Math.round(bytes / 1_000_000)) as [
      number,
      number,
    ]
    const speed = bytesPerSecond === null ? '' : `  ${speedOf(bytesPerSecond)}`
    const left = etaSeconds === null ? '' : `  ${duration(etaSeconds)} left`
    progress({ done, total: all, text: status === 'verifying' ? 'MB  checking' : `MB${speed}${left}` })
    const percent = total === null ? 0 : Math.floor((current * 100) / total)
    const step = `${status} ${Math.floor(percent / EVENT_EVERY_PERCENT)}`
    if (step === toldAt) return
    toldAt = step
    event(status, { percent, current, total, bytes_per_second: bytesPerSecond, eta_seconds: etaSeconds })
  }
}

try {
  await exitWith(await main())
} catch (error) {
  if (!(error instanceof ServerFailure)) throw error
  await exitWith(complain(error.message, EXIT.server))
}
