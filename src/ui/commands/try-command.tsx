// Runs a command on a sample text. A dry run is not recorded in the history.

import { useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { ChangedText } from '../parts/changed-text.tsx'
import { FlagField, LineField, useFieldErrors } from '../parts/form-field.tsx'
import { announce } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { CommandRun } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

type Trying = {
  instruction: string
  setInstruction: (instruction: string) => void
  /** called when a run was added to the history */
  hasRun: () => void
}

export const TryCommand = ({ instruction, setInstruction, hasRun }: Trying) => {
  const { commands: words } = strings.value
  const [selected, select] = useState('')
  const [isRecorded, setRecorded] = useState(false)
  const [run, setRun] = useState<CommandRun | null>(null)
  const faults = useFieldErrors(['command', 'selected_text'])
  const send = async (event: Event) => {
    event.preventDefault()
    const json = { command: instruction, selected_text: selected, dry_run: !isRecorded }
    await faults.trying(async () => {
      const done = await request<CommandRun>('/commands/run', { method: 'POST', json })
      setRun(done)
      announce(statusOf(done))
      if (isRecorded) hasRun()
    })
  }
  return (
    <section class="card" aria-labelledby="commands-try">
      <h2 id="commands-try">{words.try}</h2>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <LineField
          id="command-instruction"
          label={words.instruction}
          help={words.instructionHelp}
          isRequired
          value={instruction}
          set={setInstruction}
          fault={faults.of('command')}
        />
        <LineField
          id="command-text"
          label={words.selected}
          rows={4}
          value={selected}
          set={select}
          fault={faults.of('selected_text')}
        />
        <FlagField id="command-keep" label={words.keep} value={isRecorded} set={setRecorded} />
        <p class="fault" role="alert">
          {faults.rest}
        </p>
        <div>
          <button type="submit" class="primary">
            {words.run}
          </button>
        </div>
      </form>
      {run !== null && <ShownRun run={run} />}
    </section>
  )
}

/** A built-in command that found no match in the text was still understood. */
function statusOf({ status, command }: CommandRun): string {
  const { commands: words } = strings.value
  if (status !== 'no_match' || command.id !== null || command.name === null) return words.statuses[status]
  return command.name === 'replace' ? words.nothingToReplace : words.statuses.no_changes
}

export const ShownRun = ({ run }: { run: CommandRun }) => {
  const { commands: words } = strings.value
  const { status, kind, command, input, output, keys, used_llm: usedLlm, model, error } = run
  return (
    <div class="stack run">
      <p class="row">
        <span class={status === 'succeeded' ? 'badge strong' : 'badge'}>{statusOf(run)}</span>
        <span class="badge">{words.kinds[kind]}</span>
        {command.name !== null && <strong>{command.name}</strong>}
        {usedLlm && <span class="muted small">{filled(words.byLlm, { model: model ?? '' })}</span>}
      </p>
      {error !== null && status !== 'unsupported' && <p class="fault">{error.message}</p>}
      {status === 'unsupported' && (
        <p>
          {words.needsModel}{' '}
          <a href={linkTo(['settings'], { section: 'llm' })}>{strings.value.settings.groups.llm}</a>
        </p>
      )}
      {output !== '' && <ChangedText from={input} to={output} />}
      {run.target === 'clipboard' && <p class="muted small">{words.toClipboard}</p>}
      {keys.length > 0 && (
        <p>
          {words.keys}{' '}
          {keys.map((key, at) => (
            <kbd key={at}>{key}</kbd>
          ))}
        </p>
      )}
    </div>
  )
}
