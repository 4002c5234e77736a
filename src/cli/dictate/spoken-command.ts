// Command Mode: sends a spoken instruction with the selected text, and decides what happens to the result.

import type { ServerClient } from '../connection/server-client.ts'
import type { FocusedWindow } from './focus.ts'
import { parsePressed } from './keys.ts'
import { type SpokenAudio, spokenWavOf } from './rescue.ts'

export type CommandRequest = {
  audio: SpokenAudio
  selectedText: string | null
  window: FocusedWindow | null
  query: Record<string, string>
}

export type DoneCommand = {
  status: string
  /** for the user: the instruction and its effect */
  sentence: string
  /** replaces the selection, or goes to the cursor */
  insert: string | null
  /** for the clipboard only */
  copy: string | null
  /** chords to press in this order */
  keys: string[][]
}

type CommandRun = {
  status: string
  command: { name: string | null; instruction: string }
  output: string
  target: 'replace_selection' | 'insert' | 'clipboard' | 'none'
  keys: string[]
  error: { message: string } | null
}

/** @throws ServerFailure */
export async function runSpokenCommand(
  server: Pick<ServerClient, 'request'>,
  { audio, selectedText, window, query }: CommandRequest,
): Promise<DoneCommand> {
  const context = { app_name: window?.appName, app_id: window?.appId, window_title: window?.title }
  const body = () => {
    const form = new FormData()
    form.set('selected_text', selectedText ?? '')
    form.set('context', JSON.stringify(context))
    if (query.language !== undefined) form.set('language', query.language)
    if (query.model !== undefined) form.set('stt_model', query.model)
    form.set('file', spokenWavOf(audio), 'command.wav')
    return form
  }
  return doneOf(await server.request<CommandRun>('POST', '/commands/run', { body }))
}

export function doneOf({ status, command, output, target, keys, error }: CommandRun): DoneCommand {
  const said = `"${command.instruction.trim()}"`
  if (status !== 'succeeded') {
    const reason = error?.message ?? `status ${status}`
    return { status, sentence: `${said} changed nothing: ${reason}`, insert: null, copy: null, keys: [] }
  }
  const isText = target === 'replace_selection' || target === 'insert'
  const pressed = keys
    .map((chord) => parsePressed(chord))
    .flatMap((parsed) => (parsed.ok ? [parsed.value] : []))
  return {
    status,
    sentence: `${said}: ${command.name ?? 'done'}${target === 'clipboard' ? `, ${output}` : ''}`,
    insert: isText ? output : null,
    copy: target === 'clipboard' ? output : null,
    keys: pressed,
  }
}
