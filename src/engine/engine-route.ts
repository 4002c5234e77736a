// Where recordings are transcribed: on this computer, or first by the server in the settings. Only the windows of
// recordings and of finished utterances pass here; previews of live speech use the local engine.

import type { Log } from '../lib/log.ts'
import type { ServerAddress } from '../lib/openai-server.ts'
import { createAutoEngine } from './auto-engine.ts'
import type { Engine } from './engine.ts'
import { createRemoteEngine, type RemoteEngine, type RemoteEngineOptions } from './remote-engine.ts'

/** A server that is back, such as one at home, should be used again within minutes. */
const LONGEST_FALLBACK_MS = 300_000

export type SpeechDestination = {
  /** origin of the server that recordings are sent to; null: they stay on this computer */
  sentTo: string | null
  /** why the last request to it failed, in which case this computer transcribes; null if it did not */
  problem: string | null
}

export type EngineRoute = Pick<Engine, 'info' | 'transcribe' | 'close'> & {
  destination(): SpeechDestination
  /** Requests the list of models, if a server is set: a wrong address or key shows before the first recording. */
  check(): Promise<void>
}

type Deps = Pick<RemoteEngineOptions, 'readKey' | 'readLanguage'> & {
  local: Engine
  /** from the settings; null: nothing is sent anywhere */
  address: () => ServerAddress | null
  log: Log
}

type Open = { address: ServerAddress; remote: RemoteEngine; both: Engine }

export function createEngineRoute({ local, address, log, ...deps }: Deps): EngineRoute {
  let open: Open | null = null

  /** A new address resets the state of the server. */
  const current = (): Open | null => {
    const wanted = address()
    if (open !== null && Bun.deepEquals(open.address, wanted)) return open
    if (wanted === null) open = null
    else {
      const remote = createRemoteEngine({ ...deps, address: wanted })
      const pair = { preferred: remote, reference: local, longestFallbackMs: LONGEST_FALLBACK_MS, log }
      open = { address: wanted, remote, both: createAutoEngine(pair) }
    }
    return open
  }

  const originOf = ({ address: { baseUrl } }: Open) => URL.parse(baseUrl)?.origin ?? baseUrl

  return {
    info: () => (current()?.both ?? local).info(),
    transcribe(request) {
      // OpenAI's API has another address for translations, which few servers have.
      const staysHere = request.preview || request.task === 'translate'
      return ((staysHere ? null : current()?.both) ?? local).transcribe(request)
    },
    destination() {
      const now = current()
      return { sentTo: now && originOf(now), problem: now?.remote.problem() ?? null }
    },
    async check() {
      const now = current()
      if (now === null) return
      const url = originOf(now)
      log.info({ url }, 'recordings are sent to another server, as engine_url says')
      const checked = await now.remote.check()
      if (!checked.ok) log.warn({ url, reason: checked.failure.message }, 'this computer transcribes instead')
    },
    close: async () => open?.remote.close(),
  }
}
