// The command history. Clearing it asks for confirmation, because the texts cannot be restored.

import { useState } from 'preact/hooks'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { momentText } from '../parts/formats.ts'
import { Pager } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { attempt, note } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { CommandRun, ListOf } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { ShownRun } from './try-command.tsx'

const PAGE_SIZE = 20

/** @param runs a count; the list reloads when it grows */
export const CommandRuns = ({ runs }: { runs: number }) => {
  const { commands: words } = strings.value
  const [offset, turn] = useState(0)
  const history = useLoad(
    (signal) =>
      request<ListOf<CommandRun>>(`/commands/history?limit=${PAGE_SIZE}&offset=${offset}`, { signal }),
    [offset, runs],
  )
  const clear = async () => {
    if (await attempt(() => request('/commands/history', { method: 'DELETE' }))) note(words.cleared)
    turn(0)
    await history.reload()
  }
  return (
    <section aria-labelledby="commands-history">
      <h2 id="commands-history">{words.history}</h2>
      <WhenLoaded of={history}>
        {({ items, total }) =>
          total === 0 ? (
            <p class="muted">{words.noHistory}</p>
          ) : (
            <>
              <ul class="plainlist stack">
                {items.map((run) => (
                  <li key={run.id} class="card">
                    <p>
                      {`“${run.command.instruction}” `}
                      <span class="muted small">{momentText(run.created_at)}</span>
                    </p>
                    <ShownRun run={run} />
                  </li>
                ))}
              </ul>
              <Pager offset={offset} size={PAGE_SIZE} total={total} turn={turn} />
              <ConfirmButton
                label={words.clear}
                help={words.clearHelp}
                keep={words.cancel}
                act={() => void clear()}
              />
            </>
          )
        }
      </WhenLoaded>
    </section>
  )
}
