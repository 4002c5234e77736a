// The sessions of `dictation dictate`: each records from start to stop, and its text is inserted after those of earlier
// sessions.

import { pause } from '../../lib/retry.ts'
import { joinTexts } from '../../transcription/transcript.ts'
import type { ServerClient } from '../connection/server-client.ts'
import type { Report } from '../terminal/report.ts'
import type { Clipboard, SavedContent } from './clipboard.ts'
import type { Desktop } from './desktop.ts'
import { type FocusedWindow, focusedWindow } from './focus.ts'
import type { HotkeyActions, SessionKind } from './hotkeys.ts'
import type { Inserter, InsertMode } from './insert.ts'
import { type DictationStream, type LiveOutcome, openDictationStream } from './live-stream.ts'
import type { Microphone, RunningMicrophone } from './microphone.ts'
import { sendUnsent, writeUnsent } from './rescue.ts'
import { runSpokenCommand } from './spoken-command.ts'

export type SessionsOptions = {
  server: ServerClient
  report: Report
  microphone: Microphone
  desktop: Desktop
  clipboard: Pick<Clipboard, 'save'>
  inserter: Inserter
  /** presses a chord */
  press: (keys: string[]) => Promise<boolean>
  dataFolder: string
  /** of every request: language, model */
  query: Record<string, string>
  /** null: as the settings say */
  mode: InsertMode | null
  hasBell: boolean
  /** resolves when no key is down that would change the meaning of pressed keys */
  keysUp: () => Promise<void>
  /** a session ended by itself */
  onEnded: () => void
}

export type Sessions = HotkeyActions & {
  state(): 'idle' | 'listening'
  /** ends the current session without inserting its text, and resolves when everything is stored */
  close(): Promise<void>
}

type Session = {
  kind: SessionKind
  startedAt: Date
  /** has the focus at the start */
  window: Promise<FocusedWindow | null>
  pieces: Uint8Array<ArrayBuffer>[]
  microphone: RunningMicrophone
  /** null for a press that may still turn out to be too short, and for a command */
  opening: Promise<DictationStream> | null
  live: DictationStream | null
  timers: Timer[]
}

type Stopped = Session & { stoppedMs: number; target: Promise<FocusedWindow | null> }

/** A shorter press is an accident, or part of a shortcut. */
const SHORTEST_MS = 200
/** A key that is reported as held for longer is stuck. */
const LONGEST_MS = 30 * 60_000
/** The audio up to the release is still on its way through the sound system. */
const TAIL_MS = 100

export function createSessions(options: SessionsOptions): Sessions {
  const { server, report, microphone, desktop, clipboard, inserter } = options
  let current: Session | null = null
  let insertions: Promise<void> = Promise.resolve()
  let modeInSettings: InsertMode = 'paste'
  const pending = new Set<Promise<void>>()

  const track = (work: Promise<void>) => {
    const done = work.catch((error: Error) => report.say(error.message)).finally(() => pending.delete(done))
    pending.add(done)
    return done
  }

  const fail = (detail: string) => {
    report.event('failed', { detail })
    report.say(detail)
  }

  function start(kind: SessionKind, at: number): void {
    if (current !== null) return
    const pieces: Session['pieces'] = []
    const session: Session = {
      kind,
      startedAt: new Date(at),
      window: focusedWindow(desktop),
      pieces,
      microphone: microphone.start((piece) => {
        if (pieces.length === 0 && current === session) void announce(session)
        pieces.push(piece)
        session.live?.push(piece)
      }),
      opening: null,
      live: null,
      timers: [setTimeout(() => endAlone('The recording reached 30 minutes.'), LONGEST_MS)],
    }
    current = session
    const open = () => {
      session.opening = stream(session)
    }
    if (kind === 'dictation') session.timers.push(setTimeout(open, SHORTEST_MS))
    void session.microphone.ended.then((why) => {
      if (why !== null && current === session) endAlone(`The microphone is not available: ${why}.`)
    })
  }

  const endAlone = (why: string) => {
    options.onEnded()
    report.say(why)
    stop(Date.now())
  }

  async function announce({ kind, window }: Session): Promise<void> {
    const { appName = null, title = null } = (await window) ?? {}
    report.event('listening', { kind, app_name: appName, window_title: title })
    const what = kind === 'command' ? 'Listening for a command' : 'Listening'
    report.note(`${options.hasBell ? '\x07' : ''}${what}${appName === null ? '' : ` (${appName})`} …`)
  }

  async function stream(session: Session): Promise<DictationStream> {
    const query = await queryOf(session)
    const live = openDictationStream({
      server,
      query,
      onLost: (why) => report.say(`${why}. The recording continues here.`),
    })
    for (const piece of session.pieces) live.push(piece)
    session.live = live
    return live
  }

  async function queryOf({ window }: Session): Promise<Record<string, string>> {
    const { appName, appId, title } = (await window) ?? {}
    const named = { app_name: appName, app_id: appId, window_title: title }
    const known = Object.entries(named).flatMap(([name, value]) => (value ? [[name, value]] : []))
    return { ...options.query, ...Object.fromEntries(known) }
  }

  function leave(): Session | null {
    const session = current
    current = null
    for (const timer of session?.timers ?? []) clearTimeout(timer)
    return session
  }

  function stop(at: number): void {
    const session = leave()
    if (session === null) return
    const stoppedMs = performance.now()
    if (at - session.startedAt.getTime() < SHORTEST_MS) {
      report.event('ignored', { reason: 'too_short' })
      void track(remove(session).then(() => {}))
      return
    }
    const stopped: Stopped = Object.assign(session, { stoppedMs, target: focusedWindow(desktop) })
    void stopped.target.then((window) => report.event('stopped', { app_name: window?.appName ?? null }))
    const work = session.kind === 'command' ? recordedCommand(stopped) : recordedText(stopped)
    const after = insertions
    const prepared = after.then(prepare)
    insertions = track(
      (async () => {
        const insert = await work
        await insert?.(await prepared)
      })(),
    )
  }

  async function finish(session: Session): Promise<LiveOutcome | null> {
    await pause(TAIL_MS)
    session.microphone.stop()
    await session.microphone.ended
    const live = await session.opening
    live?.stop()
    return (await live?.ended) ?? null
  }

  /** Known before the text is, so that the text need not wait for it. */
  type Prepared = { mode: InsertMode; saved: SavedContent }
  type InsertStep = ((prepared: Prepared) => Promise<void>) | null

  async function prepare(): Promise<Prepared> {
    const [mode, saved] = await Promise.all([modeOf(), clipboard.save()])
    return { mode, saved }
  }

  async function recordedText(session: Stopped): Promise<InsertStep> {
    session.opening ??= stream(session)
    const outcome = await finish(session)
    if (session.pieces.length === 0) return null
    if (outcome?.captureId == null) {
      void track(rescue(session, outcome?.problem ?? 'The server did not store the recording'))
      return null
    }
    const text = joinTexts(outcome.texts)
    return (prepared) =>
      put(session, prepared, { text, captureId: outcome.captureId, lastTextAt: outcome.lastTextAt })
  }

  type Text = { text: string; captureId: string | null; lastTextAt: number | null }

  async function put(
    session: Stopped,
    { mode, saved }: Prepared,
    { text, captureId, lastTextAt }: Text,
  ): Promise<void> {
    if (text === '') {
      report.event('no_speech', { capture_id: captureId })
      report.note('No speech was recognized.')
      return
    }
    const [window] = await Promise.all([session.target, options.keysUp()])
    const { how, note, at } = await inserter.insert({ text, window, mode, saved })
    const since = (at: number | null) => (at === null ? null : Math.round(at - session.stoppedMs))
    report.event('inserted', {
      text,
      how,
      capture_id: captureId,
      app_name: window?.appName ?? null,
      text_ms: since(lastTextAt),
      inserted_ms: since(at),
    })
    report.note(text)
    if (note !== null) report.say(note)
  }

  /** The settings may change while the program runs. Without an answer, the last ones apply. */
  async function modeOf(): Promise<InsertMode> {
    if (options.mode !== null) return options.mode
    const settings = await server
      .request<{ allow_auto_paste: boolean }>('GET', '/settings/captures')
      .catch(() => null)
    if (settings !== null) modeInSettings = settings.allow_auto_paste ? 'paste' : 'copy'
    return modeInSettings
  }

  async function recordedCommand(session: Stopped): Promise<InsertStep> {
    await finish(session)
    return async ({ saved }) => {
      await options.keysUp()
      const window = await session.target
      const selectedText = await inserter.copySelection(window)
      const done = await runSpokenCommand(server, {
        audio: session,
        selectedText,
        window,
        query: options.query,
      })
      report.event('command', { ...done })
      report.note(done.sentence)
      const mode = options.mode === 'type' ? 'type' : 'paste'
      if (done.insert !== null) await noted(inserter.insert({ text: done.insert, window, mode, saved }))
      if (done.copy !== null) await noted(inserter.insert({ text: done.copy, window, mode: 'copy', saved }))
      for (const keys of done.keys) await options.press(keys)
    }
  }

  const noted = async (inserting: ReturnType<Inserter['insert']>) => {
    const { note } = await inserting
    if (note !== null) report.say(note)
  }

  /** The text arrives too late to be inserted: the user has continued. */
  async function rescue(session: Stopped, why: string): Promise<void> {
    const path = await writeUnsent(options.dataFolder, session)
    fail(
      `${why.replace(/\.$/, '')}. The whole recording is safe in ${path}; it is sent when the server responds.`,
    )
    try {
      const query = await queryOf(session)
      const { id, text } = await sendUnsent(server, path, { query, startedAt: session.startedAt })
      report.event('stored', { capture_id: id, text })
      report.say(`The server has stored the recording (dictation captures show ${id}): ${text}`)
    } catch (error) {
      fail(
        `${(error as Error).message} The recording stays in ${path}. Store it later: dictation import "${path}"`,
      )
    }
  }

  /** Moves what the server has to its trash; returns the id of the capture. */
  async function remove(session: Session): Promise<string | null> {
    const outcome = await finish(session)
    const id = outcome?.captureId ?? null
    if (id !== null) await server.request('POST', `/captures/${id}/trash`)
    return id
  }

  async function discard(session: Session, why: 'escape' | 'shortcut'): Promise<void> {
    const id = await remove(session)
    report.event('canceled', { reason: why, capture_id: id })
    const restore = id === null ? '' : ` The recording is in the trash: dictation captures restore ${id}`
    if (why === 'escape') report.note(`Canceled.${restore}`)
  }

  return {
    start,
    stop,
    cancel(why) {
      const session = leave()
      if (session !== null) void track(discard(session, why))
    },
    latch: () => report.note('The recording continues until the keys are pressed again.'),
    state: () => (current === null ? 'idle' : 'listening'),
    async close() {
      const session = leave()
      if (session !== null) {
        const outcome = await finish(session)
        const id = outcome?.captureId ?? null
        if (id !== null) report.note(`The recording is stored: dictation captures show ${id}`)
        else if (session.opening !== null) {
          const path = await writeUnsent(options.dataFolder, session)
          report.say(`The recording is in ${path}. Store it: dictation import "${path}"`)
        }
      }
      await Promise.race([Promise.all(pending), pause(CLOSE_WITHIN_MS)])
    },
  }
}

/** What is not stored by then is in a file. */
const CLOSE_WITHIN_MS = 5000
