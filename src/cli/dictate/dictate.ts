// `dictation dictate`: connects the keys, the microphone, the server and the focused window.

import { dataFolderOf } from '../../config.ts'
import { pause } from '../../lib/retry.ts'
import type { Given } from '../command.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { clipboardFault, clipboardOf } from './clipboard.ts'
import { type ControlRequest, controlPathOf, serveControl } from './control.ts'
import { desktopFault, desktopOf } from './desktop.ts'
import { type Chords, createHotkeys, type Hotkeys } from './hotkeys.ts'
import { createInserter, type InsertMode } from './insert.ts'
import { type KeyEvents, listenToKeys, MAC_RIGHTS } from './key-events.ts'
import { parseChord } from './keys.ts'
import { findMicrophone } from './microphone.ts'
import { keyFault, pressKeys } from './press-keys.ts'
import { createSessions, type Sessions } from './sessions.ts'

type DictateOptions = {
  key?: string
  'command-key'?: string
  type?: boolean
  copy?: boolean
  'paste-keys'?: string
  input?: string
  language?: string
  model?: string
  bell?: boolean
}

type WireSettings = { chord_push_to_talk_keys: string[]; chord_toggle_to_talk_keys: string[] }

/** The keys are read within milliseconds; longer means that the system withholds them. */
const NO_KEYS_AFTER_MS = 60_000
const KEYS_UP_WITHIN_MS = 1500
const LOOK_EVERY_MS = 10

export async function dictate(tools: Tools, { options }: Given<DictateOptions>): Promise<number> {
  const { server, report, env } = tools
  const dataFolder = dataFolderOf(env)
  const desktop = desktopOf(env, process.platform)
  const mode = modeOf(options)
  const pasteKeys = options['paste-keys'] === undefined ? null : chordOf('paste-keys', options['paste-keys'])
  const microphone = findMicrophone(options.input ?? null)
  const fault = desktopFault(env, desktop) ?? (microphone.ok ? clipboardFault(desktop) : microphone.failure)
  if (fault !== null || !microphone.ok) throw new CommandFailure(fault!, { code: 'missing_program' })
  const chords = chordsOf(options, await server.request<WireSettings>('GET', '/settings/captures'))

  const clipboard = clipboardOf(desktop)
  const until = Promise.withResolvers<number>()
  let keyEvents: KeyEvents | null = null
  const press = async (keys: string[]) => {
    // On X11 the key listener sends events that xterm and others ignore.
    if ((desktop === 'x11' || keyEvents === null) && (await pressKeys(desktop, keys))) return true
    keyEvents?.press(keys)
    return keyEvents !== null
  }
  const sessions: Sessions = createSessions({
    server,
    report,
    microphone: microphone.value,
    desktop,
    clipboard,
    inserter: createInserter({ desktop, clipboard, press, pasteKeys }),
    press,
    dataFolder,
    query: queryOf(options),
    mode,
    hasBell: options.bell === true,
    keysUp: () => keysUp(hotkeys),
    onEnded: () => hotkeys.ended(),
  })
  const hotkeys = createHotkeys(chords, sessions)

  const path = controlPathOf(env, dataFolder)
  const control = await serveControl(path, {
    folder: dataFolder,
    take: (request) => take(request, hotkeys, sessions),
  })
  if (!control.ok) throw new CommandFailure(control.failure, { code: 'already_running' })
  const interrupt = () => until.resolve(EXIT.interrupted)
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)

  const missingKeys = keyFault(desktop)
  let hasKeyArrived = false
  keyEvents = await listenToKeys({
    env,
    dataFolder,
    onKey(event, key, at) {
      hasKeyArrived = true
      hotkeys[event](key, at)
    },
    onReady() {
      if (missingKeys !== null) report.say(missingKeys)
      report.event('ready', { keys: chords.hold, microphone: microphone.value.name })
      report.note(`Hold ${chords.hold.join('+')} and speak. Escape cancels, Ctrl+C ends this program.`)
    },
    onUnavailable(why) {
      keyEvents = null
      report.say([why, missingKeys].filter(Boolean).join('\n'))
      report.event('ready', { keys: [], microphone: microphone.value.name })
    },
  })
  if (process.platform === 'darwin')
    setTimeout(
      () => hasKeyArrived || report.say(`No key press has arrived yet. ${MAC_RIGHTS}`),
      NO_KEYS_AFTER_MS,
    ).unref()

  const code = await until.promise
  keyEvents?.stop()
  control.value.close()
  await sessions.close()
  return code
}

function take(request: ControlRequest, hotkeys: Hotkeys, sessions: Sessions) {
  if (request === 'toggle') hotkeys.toggle('dictation')
  if (request === 'command') hotkeys.toggle('command')
  if (request === 'cancel') hotkeys.cancel()
  return sessions.state()
}

async function keysUp(hotkeys: Hotkeys): Promise<void> {
  const until = performance.now() + KEYS_UP_WITHIN_MS
  while (hotkeys.isModified() && performance.now() < until) await pause(LOOK_EVERY_MS)
}

function modeOf({ type, copy }: DictateOptions): InsertMode | null {
  if (type && copy) throw new UsageError('Give either --type or --copy.')
  if (type) return 'type'
  return copy ? 'copy' : null
}

function chordOf(option: string, text: string): string[] {
  const chord = parseChord(text)
  if (!chord.ok) throw new UsageError(`--${option}: ${chord.failure}`)
  return chord.value
}

function chordInSettings({ chord_push_to_talk_keys: keys }: WireSettings): string[] {
  const chord = parseChord(keys.join('+'))
  if (chord.ok) return chord.value
  const hint = 'Change the hold-to-talk keys in the settings, or give --key.'
  throw new CommandFailure(chord.failure, { code: 'unknown_key', hint })
}

/** The settings may hold names of keys that only another client knows. */
function chordsOf(options: DictateOptions, settings: WireSettings): Chords {
  const command = options['command-key']
  const toggle = parseChord(settings.chord_toggle_to_talk_keys.join('+'))
  return {
    hold: options.key === undefined ? chordInSettings(settings) : chordOf('key', options.key),
    toggle: options.key === undefined && toggle.ok ? toggle.value : null,
    command: command === undefined ? null : chordOf('command-key', command),
  }
}

const queryOf = ({ language, model }: DictateOptions): Record<string, string> => ({
  ...(language !== undefined && { language }),
  ...(model !== undefined && { model }),
})
