import { useState } from 'preact/hooks'
import { FormDialog } from '../parts/form-dialog.tsx'
import { LineField, PickField, useFieldErrors, valuesIn } from '../parts/form-field.tsx'
import { note } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ShownCommand } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

type Edited = { command: ShownCommand | null; close: () => void; reload: () => Promise<void> }

const HOW = ['steps', 'instructions'] as const

export const CommandDialog = ({ command, close, reload }: Edited) => {
  const { commands: words } = strings.value
  const [name, setName] = useState(command?.name ?? '')
  const [triggers, setTriggers] = useState(command?.triggers.join('\n') ?? '')
  const [how, setHow] = useState<(typeof HOW)[number]>(command?.instructions ? 'instructions' : 'steps')
  const [what, setWhat] = useState(command?.instructions ?? command?.steps?.join('\n') ?? '')
  const faults = useFieldErrors(['name', 'triggers', 'steps', 'instructions'])
  const send = async () => {
    const done = how === 'steps' ? { steps: valuesIn(what) } : { instructions: what.trim() }
    const json = { name, triggers: valuesIn(triggers), ...done }
    const isSaved = await faults.trying(() =>
      command === null
        ? request('/commands', { method: 'POST', json })
        : request(`/commands/${command.id}`, { method: 'PUT', json }),
    )
    if (!isSaved) return false
    note(filled(words.kept, { name }))
    void reload()
    return true
  }
  const title = command === null ? words.add : filled(words.editNamed, { name: command.name })
  return (
    <FormDialog
      title={title}
      fault={faults.rest}
      save={words.save}
      cancel={words.cancel}
      send={send}
      close={close}
    >
      <LineField
        id="saved-name"
        label={words.name}
        isRequired
        value={name}
        set={setName}
        fault={faults.of('name')}
      />
      <LineField
        id="saved-triggers"
        label={words.triggers}
        help={words.triggersHelp}
        rows={2}
        isRequired
        value={triggers}
        set={setTriggers}
        fault={faults.of('triggers')}
      />
      <PickField
        id="saved-how"
        label={words.how}
        value={how}
        options={HOW.map((value) => ({ value, name: words.hows[value] }))}
        set={setHow}
      />
      <LineField
        id="saved-what"
        label={words.hows[how]}
        help={words.howHelp[how]}
        rows={4}
        isRequired
        value={what}
        set={setWhat}
        fault={faults.of(how)}
      />
    </FormDialog>
  )
}
