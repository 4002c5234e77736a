import { dataFolderOf } from '../../config.ts'
import type { Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { type ControlRequest, controlPathOf, requestControl } from './control.ts'

type ToggleOptions = { command?: boolean; cancel?: boolean }

export async function toggle({ env, report }: Tools, { options }: Given<ToggleOptions>): Promise<number> {
  const state = await requestControl(controlPathOf(env, dataFolderOf(env)), requestOf(options))
  if (state === null)
    throw new CommandFailure('No "dictation dictate" is running.', {
      code: 'not_running',
      hint: 'Start it first: dictation dictate. It may start with your desktop session (docs/dictate.md).',
    })
  report.answer({ state }, () => (state === 'listening' ? 'Listening.' : 'Stopped.'))
  return EXIT.done
}

function requestOf({ command, cancel }: ToggleOptions): ControlRequest {
  if (command && cancel) throw new UsageError('Give either --command or --cancel.')
  if (cancel) return 'cancel'
  return command ? 'command' : 'toggle'
}
