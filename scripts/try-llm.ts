// npm run try-llm: refines dictated texts with a real language model and reports what the guard rejected. Tests use a
// fake model instead; CONTRIBUTING.md says how to get a real one.

import { systemClock } from '../src/lib/clock.ts'
import { silentLog } from '../src/lib/log.ts'
import type { Llm } from '../src/llm/llm.ts'
import { createLlmClient } from '../src/llm/llm-client.ts'
import { DEFAULT_SETTINGS } from '../src/settings/settings.ts'
import { compiled } from '../src/text/dictionary/compile.ts'
import { reconcileStyles } from '../src/writing/builtin-styles.ts'
import { matchStyle } from '../src/writing/match-style.ts'
import { createRefiner, type RefinedInDetail } from '../src/writing/refiner.ts'
import { serveGguf } from './try-llm/gguf-server.ts'
import { type Dictated, TEXTS } from './try-llm/texts.ts'

const USAGE = `Tries a language model on ${TEXTS.length} dictated texts. Set either

  LLM_BASE_URL    an OpenAI-compatible address, such as http://127.0.0.1:11434/v1
  LLM_MODEL       its model [the first that it lists]
  LLM_API_KEY     its key, if it requires one

or

  LLM_GGUF        a model file
  NODE_LLAMA_CPP  a folder where node-llama-cpp is installed

and, for both, LLM_TIMEOUT_MS [60000].`

/** The server's default. */
const USUAL_TIMEOUT_MS = DEFAULT_SETTINGS.refineTimeoutMs

type Tried = { dictated: Dictated; refined: RefinedInDetail; answer: string | null; lost: string[] }

async function main(env: NodeJS.ProcessEnv): Promise<number> {
  const server = await findServer(env)
  if (server === null) {
    console.error(USAGE)
    return 2
  }
  const latest: { answer: string | null } = { answer: null }
  const client = createLlmClient({ readKey: () => env.LLM_API_KEY })
  const llm: Llm = {
    async complete(request) {
      const answer = await client.complete(request)
      latest.answer = answer.ok ? answer.value.text : null
      return answer
    },
  }
  const settings = {
    ...DEFAULT_SETTINGS,
    llmBaseUrl: server.baseUrl,
    llmModel: env.LLM_MODEL ?? null,
    llmApiKeyEnv: env.LLM_API_KEY === undefined ? null : 'DICTATION_LLM_KEY',
    refineTimeoutMs: Number(env.LLM_TIMEOUT_MS ?? 60_000),
  }
  const styles = reconcileStyles([], new Date())
  const refiner = createRefiner({
    llm,
    clock: systemClock,
    log: silentLog,
    settings: { current: () => settings },
    dictionary: { compiled: () => compiled([]) },
    styles: { match: (place) => matchStyle(styles, place), noteUse: () => {} },
  })

  const tried: Tried[] = []
  for (const dictated of TEXTS) {
    latest.answer = null
    const refined = await refiner.preview(dictated.text, {
      language: dictated.language,
      writingStyleId: null,
      flags: null,
      useLlm: true,
      llmModel: null,
      app: { appName: null, appId: null, appUrl: null },
      signal: new AbortController().signal,
    })
    const lost = dictated.keep.filter((part) => !refined.text.includes(part))
    tried.push({ dictated, refined, answer: latest.answer, lost })
    report(tried.at(-1)!)
  }
  await server.close()
  return summarise(tried)
}

async function findServer(
  env: NodeJS.ProcessEnv,
): Promise<{ baseUrl: string; close(): Promise<void> } | null> {
  const { LLM_BASE_URL: baseUrl, LLM_GGUF: gguf, NODE_LLAMA_CPP: packageFolder } = env
  if (baseUrl) return { baseUrl, close: async () => {} }
  return gguf && packageFolder ? serveGguf({ gguf, packageFolder }) : null
}

function report({ dictated, refined, answer, lost }: Tried): void {
  console.log(`\n${dictated.language}  ${dictated.text}`)
  if (answer !== null) console.log(`model  ${answer.replaceAll('\n', ' ⏎ ')}`)
  console.log(`text   ${refined.text}`)
  const outcome = refined.llmFailure === null ? 'accepted' : refined.llmFailure.message
  console.log(`       ${outcome} (${refined.ms} ms)${lost.length > 0 ? ` LOST: ${lost.join(', ')}` : ''}`)
}

/** Exit code 1 if anything was lost, or nothing was tried. */
function summarise(tried: readonly Tried[]): number {
  const times = tried.map(({ refined }) => refined.ms).sort((one, other) => one - other)
  const failures = tried.flatMap(({ refined }) => refined.llmFailure ?? [])
  const refused = failures.filter(({ code }) => code === 'llm_refused_by_guard')
  const lost = tried.flatMap((one) => one.lost)
  const reasons = Map.groupBy(failures, ({ message }) => message)
  console.log(
    `\n${tried.length} texts, ${tried.length - failures.length} accepted, ${refused.length} rejected by the guard,`,
  )
  console.log(`${failures.length - refused.length} other failures, ${lost.length} parts lost`)
  for (const [message, those] of reasons) console.log(`  ${those.length} × ${message}`)
  const slow = times.filter((ms) => ms > USUAL_TIMEOUT_MS).length
  console.log(
    `median ${times[times.length >> 1]} ms, longest ${times.at(-1)} ms, ${slow} above ${USUAL_TIMEOUT_MS} ms`,
  )
  return lost.length > 0 || tried.every(({ answer }) => answer === null) ? 1 : 0
}

process.exit(await main(process.env))
