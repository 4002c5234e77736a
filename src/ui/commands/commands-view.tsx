import { useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { Heading } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { attempt, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListOf, ShownCommand } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { BuiltInCommands } from './built-in-commands.tsx'
import { CommandDialog } from './command-dialog.tsx'
import { CommandRuns } from './command-history.tsx'
import { TryCommand } from './try-command.tsx'

export const CommandsView = () => {
  const { views, commands: words } = strings.value
  const [edited, edit] = useState<ShownCommand | 'new' | null>(null)
  const [instruction, setInstruction] = useState('')
  const [runs, setRuns] = useState(0)
  const list = useLoad((signal) => request<ListOf<ShownCommand>>('/commands', { signal }))
  return (
    <>
      <Heading text={views.commands} />
      <div class="commands">
        <TryCommand
          instruction={instruction}
          setInstruction={setInstruction}
          hasRun={() => setRuns((number) => number + 1)}
        />
        <WhenLoaded of={list}>
          {({ items }) => (
            <>
              <section aria-labelledby="commands-saved">
                <h2 id="commands-saved">{words.saved}</h2>
                <Saved
                  commands={items.filter(({ source }) => source === 'saved')}
                  edit={edit}
                  reload={list.reload}
                />
                <button type="button" class="primary" onClick={() => edit('new')}>
                  {words.add}
                </button>
              </section>
              <BuiltInCommands
                commands={items.filter(({ source }) => source === 'built_in')}
                tryOut={setInstruction}
              />
            </>
          )}
        </WhenLoaded>
        <CommandRuns runs={runs} />
      </div>
      {edited !== null && (
        <CommandDialog
          command={edited === 'new' ? null : edited}
          close={() => edit(null)}
          reload={list.reload}
        />
      )}
    </>
  )
}

type Listed = {
  commands: ShownCommand[]
  edit: (command: ShownCommand) => void
  reload: () => Promise<void>
}

const Saved = ({ commands, edit, reload }: Listed) => {
  const { commands: words } = strings.value
  if (commands.length === 0) return <p class="muted">{words.noneSaved}</p>
  const remove = async ({ id }: ShownCommand) => {
    await attempt(async () => {
      // The list may be out of date, so Undo restores the current version.
      const { name, triggers, instructions, steps } = await request<ShownCommand>(`/commands/${id}`)
      await request(`/commands/${id}`, { method: 'DELETE' })
      offerUndo(filled(words.deleted, { name }), async () => {
        await request('/commands', { method: 'POST', json: { name, triggers, instructions, steps } })
        await reload()
      })
    })
    await reload()
  }
  return (
    <ul class="plainlist lines">
      {commands.map((command) => (
        <li key={command.id}>
          <div class="what">
            <span class="word">{command.name}</span>
            <div class="muted small">{command.triggers.map((trigger) => `“${trigger}”`).join(', ')}</div>
            <div class="muted small">{command.description}</div>
          </div>
          <div class="row">
            <button
              type="button"
              class="plain icon"
              aria-label={filled(words.editNamed, { name: command.name })}
              onClick={() => edit(command)}
            >
              <Icon name="edit" />
            </button>
            <button
              type="button"
              class="plain icon"
              aria-label={filled(words.deleteNamed, { name: command.name })}
              onClick={() => void remove(command)}
            >
              <Icon name="trash" />
            </button>
          </div>
        </li>
      ))}
    </ul>
  )
}
