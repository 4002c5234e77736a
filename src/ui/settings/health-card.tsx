// The health of the server (disk, database, engine, queue, access), and signing out.

import { figure, megabytes, timeSpan } from '../parts/formats.ts'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { attempt } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { currentSession, endSession } from '../server/session.ts'
import type { DiskHealth, ServerHealth } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

type State = { health: ServerHealth; disk: DiskHealth }

async function loadHealth(signal: AbortSignal): Promise<State> {
  const [health, disk] = await Promise.all([
    request<ServerHealth>('/health', { signal }),
    request<DiskHealth>('/health/filesystem', { signal }),
  ])
  return { health, disk }
}

export const HealthCard = () => {
  const state = useLoad(loadHealth)
  const { settings: words } = strings.value
  return (
    <section class="card" aria-labelledby="settings-health">
      <h2 id="settings-health">{words.state}</h2>
      <WhenLoaded of={state}>{(value) => <Shown {...value} />}</WhenLoaded>
      <div class="row">
        <button type="button" onClick={() => void state.reload()}>
          {words.health.refresh}
        </button>
        {state.value?.health.access.token_required && (
          <>
            <button type="button" aria-describedby="sign-out-help" onClick={() => void signOut()}>
              {words.signOut}
            </button>
            <span id="sign-out-help" class="muted small">
              {words.signOutHelp}
            </span>
          </>
        )}
      </div>
    </section>
  )
}

async function signOut(): Promise<void> {
  const session = currentSession()
  if (await attempt(() => request('/session', { method: 'DELETE' }))) endSession(session)
}

/** Only if recordings leave this computer. */
function speechFact({ speech }: ServerHealth): [string, string, boolean][] {
  if (speech.sent_to === null) return []
  const words = [speech.sent_to, speech.problem].filter((part) => part !== null)
  return [[strings.value.settings.health.speech, words.join(': '), speech.problem !== null]]
}

const Shown = ({ health, disk }: State) => {
  const { health: words } = strings.value.settings
  const isWell = health.status === 'healthy' && disk.healthy
  const facts: [string, string, boolean?][] = [
    [words.state, isWell ? words.healthy : words.degraded, !isWell],
    [words.version, `${health.service} ${health.version}`],
    [words.uptime, timeSpan(health.uptime_seconds)],
    [words.disk, diskWords(disk), !disk.healthy],
    [words.database, databaseWords(health), health.database_state === 'rebuilding'],
    [words.engine, filled(words.engineOf, { ...health.engine, simd: health.engine.simd })],
    [words.device, `${health.gpu_type ?? 'CPU'}: ${health.engine.device_reason}`],
    ...speechFact(health),
    [words.model, health.model_size ?? strings.value.settings.none],
    [words.queue, queueWords(health)],
    [words.access, words.accesses[health.access.other_users], health.access.other_users === 'allowed'],
    [words.token, health.access.token_required ? words.tokens.yes : words.tokens.no],
  ]
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value, isBad]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={isBad ? 'fault' : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      {health.access.hint && <p class="warning">{health.access.hint}</p>}
      <h3>{words.folders}</h3>
      <ul class="plainlist folders">
        {disk.directories.map(({ path, error }) => (
          <li key={path}>
            <code>{path}</code> <span class={error ? 'fault' : 'muted small'}>{error ?? words.writable}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function diskWords({ disk_free_mb: free, disk_total_mb: total }: DiskHealth): string {
  const { health: words } = strings.value.settings
  if (free === null) return words.unknown
  if (total === null) return megabytes(free)
  return filled(words.diskOf, { free: megabytes(free), total: megabytes(total) })
}

function databaseWords({ database, database_state }: ServerHealth): string {
  const { health: words } = strings.value.settings
  const kind = words.databases[database]
  return database_state === 'rebuilding' ? `${kind}, ${words.rebuilding}` : kind
}

function queueWords({ queue: { active, waiting, oldest_waiting_seconds: oldest } }: ServerHealth): string {
  const { health: words } = strings.value.settings
  if (active === null || waiting === null) return words.unknown
  const counts = filled(words.queueOf, { active: figure(active), waiting: figure(waiting) })
  return oldest === null ? counts : `${counts}, ${filled(words.waits, { time: timeSpan(oldest) })}`
}
