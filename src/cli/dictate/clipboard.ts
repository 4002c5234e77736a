// The clipboard: saves its content, replaces it while an application pastes the text, and restores it.

import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pause } from '../../lib/retry.ts'
import { bytesOf, type Desktop, outputOf, run } from './desktop.ts'

/** X11 terminals paste the primary selection, everything else the clipboard. */
type Selection = 'clipboard' | 'primary'

export type SavedContent =
  | { kind: 'empty' }
  | { kind: 'text'; text: string }
  | { kind: 'image'; bytes: Uint8Array }
  /** cannot be restored; for a message */
  | { kind: 'other'; types: string }

export type OfferedText = {
  /** Resolves when no application takes the text any more. Null if the system does not report that. */
  taken(): Promise<boolean | null>
  /** puts the earlier content back; false if something else has replaced the text meanwhile */
  restore(saved: SavedContent): Promise<boolean>
}

export type Clipboard = {
  save(): Promise<SavedContent>
  /** null if it is empty or not text */
  readText(from?: Selection): Promise<string | null>
  writeText(text: string): Promise<boolean>
  /** puts saved content back; content that cannot be restored is lost */
  write(saved: SavedContent): Promise<void>
  /** null if the clipboard cannot be written */
  offer(text: string, selections: Selection[]): Promise<OfferedText | null>
}

type Programs = {
  needed: string
  package: string
  read(from: Selection): string[]
  write(to: Selection): string[]
  types?: string[]
  readImage?: string[]
  writeImage?: string[]
}

const WINDOWS = ['powershell', '-NoProfile', '-NonInteractive', '-Command']
const UTF8 = '[Console]::InputEncoding = [Console]::OutputEncoding = [Text.Encoding]::UTF8;'

const PROGRAMS: Record<Exclude<Desktop, 'sway' | 'hyprland'>, Programs> = {
  x11: {
    needed: 'xclip',
    package: 'xclip',
    read: (from) => ['xclip', '-selection', from, '-o'],
    write: (to) => ['xclip', '-selection', to, '-i'],
    types: ['xclip', '-selection', 'clipboard', '-t', 'TARGETS', '-o'],
    readImage: ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'],
    writeImage: ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-i'],
  },
  wayland: {
    needed: 'wl-copy',
    package: 'wl-clipboard',
    read: (from) => ['wl-paste', '--no-newline', ...(from === 'primary' ? ['--primary'] : [])],
    write: (to) => ['wl-copy', ...(to === 'primary' ? ['--primary'] : [])],
    types: ['wl-paste', '--list-types'],
    readImage: ['wl-paste', '--type', 'image/png'],
    writeImage: ['wl-copy', '--type', 'image/png'],
  },
  macos: { needed: 'pbcopy', package: 'pbcopy', read: () => ['pbpaste'], write: () => ['pbcopy'] },
  windows: {
    needed: 'powershell',
    package: 'PowerShell',
    read: () => [...WINDOWS, `${UTF8} Get-Clipboard -Raw`],
    write: () => [...WINDOWS, `${UTF8} [Console]::In.ReadToEnd() | Set-Clipboard`],
  },
}

/** For systems that do not report when an application has taken the text. */
const TAKEN_WITHIN_MS = 800

const programsOf = (desktop: Desktop): Programs =>
  PROGRAMS[desktop === 'sway' || desktop === 'hyprland' ? 'wayland' : desktop]

/** A sentence that names the missing program; null if it is here. */
export function clipboardFault(desktop: Desktop): string | null {
  const { needed, package: name } = programsOf(desktop)
  return Bun.which(needed) === null ? `The clipboard needs ${needed}. Install the package ${name}.` : null
}

export function clipboardOf(desktop: Desktop): Clipboard {
  const programs = programsOf(desktop)
  const readText = async (from: Selection = 'clipboard') => (await outputOf(programs.read(from))) || null
  const writeText = (text: string, to: Selection = 'clipboard') => run(programs.write(to), text)

  async function write(saved: SavedContent): Promise<void> {
    if (saved.kind === 'text') await writeText(saved.text)
    if (saved.kind === 'image') await run(programs.writeImage!, saved.bytes)
    if (saved.kind === 'empty') await writeText('')
  }

  async function offerAnywhere(text: string, selections: Selection[]): Promise<OfferedText | null> {
    const primary = selections.includes('primary') ? await readText('primary') : null
    const isWritten = await Promise.all(selections.map((selection) => writeText(text, selection)))
    if (isWritten.includes(false)) return null
    return {
      async taken() {
        await pause(TAKEN_WITHIN_MS)
        return null
      },
      async restore(saved) {
        if ((await readText()) !== text) return false
        await write(saved)
        if (primary !== null) await writeText(primary, 'primary')
        return true
      },
    }
  }

  async function offerOnX11(text: string, selections: Selection[]): Promise<OfferedText | null> {
    const primary = selections.includes('primary') ? await readText('primary') : null
    const owners = await Promise.all(selections.map((selection) => ownSelection(selection, text)))
    const isOurs = () => owners.every((owner) => owner?.isOwner())
    if (!isOurs()) return null
    return {
      taken: () => takenOf(owners.map((owner) => owner!)),
      async restore(saved) {
        const wasOurs = isOurs()
        // Without its owner the clipboard is empty again.
        if (wasOurs && saved.kind !== 'empty') await write(saved)
        if (wasOurs && primary !== null) await writeText(primary, 'primary')
        for (const owner of owners) owner?.end()
        return wasOurs
      },
    }
  }

  return {
    readText,
    writeText,
    write,
    offer: desktop === 'x11' ? offerOnX11 : offerAnywhere,
    async save() {
      const types = programs.types === undefined ? null : ((await outputOf(programs.types)) ?? '')
      if (types === '') return { kind: 'empty' }
      if (types === null || /^(UTF8_STRING|STRING|text\/plain.*)$/m.test(types)) {
        const text = await readText()
        return text === null ? { kind: 'empty' } : { kind: 'text', text }
      }
      const bytes = types.includes('image/png') ? await bytesOf(programs.readImage!) : null
      if (bytes !== null) return { kind: 'image', bytes }
      return {
        kind: 'other',
        types: types
          .split('\n')
          .filter((type) => type.includes('/'))
          .join(', '),
      }
    },
  }
}

type SelectionOwner = {
  isOwner(): boolean
  /** how often the text was requested */
  requests(): number
  end(): void
}

const OWNED_WITHIN_MS = 3000

/** xclip reports each request on stderr, and ends when another program takes the selection. */
async function ownSelection(selection: Selection, text: string): Promise<SelectionOwner | null> {
  const child = Bun.spawn(['xclip', '-verbose', '-selection', selection, '-i'], {
    stdin: new Blob([text]),
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const owned = Promise.withResolvers<boolean>()
  let requests = -1
  createInterface({ input: Readable.fromWeb(child.stderr as never) }).on('line', (line) => {
    if (!line.includes('request number')) return
    requests++
    owned.resolve(true)
  })
  void child.exited.then(() => owned.resolve(false))
  const isOwned = await Promise.race([owned.promise, pause(OWNED_WITHIN_MS).then(() => false)])
  if (!isOwned) child.kill()
  return isOwned
    ? { isOwner: () => child.exitCode === null, requests: () => requests, end: () => child.kill() }
    : null
}

/** An application that does not paste with these keys never requests the text. */
const REQUESTED_WITHIN_MS = 2000
/** Chromium requests the text more than once, and on a busy computer late: what it requests last is what it inserts. */
const QUIET_MS = 800
/** A clipboard manager may request the text again and again. */
const MAX_QUIET_MS = 3000
const LOOK_EVERY_MS = 15

async function takenOf(owners: SelectionOwner[]): Promise<boolean> {
  const requests = () => owners.reduce((sum, owner) => sum + owner.requests(), 0)
  const before = requests()
  const until = performance.now() + REQUESTED_WITHIN_MS
  while (requests() === before && performance.now() < until) await pause(LOOK_EVERY_MS)
  let seen = before
  while (requests() !== seen && performance.now() < until + MAX_QUIET_MS) {
    seen = requests()
    await pause(QUIET_MS)
  }
  return seen > before
}
