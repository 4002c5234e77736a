// Inserts text into the focused window: through the clipboard, whose content is restored afterwards, or typed.

import { pause } from '../../lib/retry.ts'
import type { Clipboard, SavedContent } from './clipboard.ts'
import type { Desktop } from './desktop.ts'
import { type FocusedWindow, focusedWindow, hasLostFocus, isTerminal } from './focus.ts'
import { typeText } from './press-keys.ts'

export type InsertMode = 'paste' | 'type' | 'copy'

export type Inserted = {
  /** `none`: the text is only in the output */
  how: 'pasted' | 'typed' | 'copied' | 'none'
  /** a message for the user; null if everything went as expected */
  note: string | null
  /** performance.now() when the keys were pressed, or the text was copied */
  at: number
}

type Outcome = Omit<Inserted, 'at'>

export type InserterOptions = {
  desktop: Desktop
  clipboard: Clipboard
  press: (keys: string[]) => Promise<boolean>
  /** null: by system and application */
  pasteKeys: string[] | null
}

export type Insertion = {
  text: string
  /** should receive the text; null if unknown */
  window: FocusedWindow | null
  mode: InsertMode
  /** what the clipboard holds; read before, so that the text need not wait for it */
  saved: SavedContent
}

export type Inserter = {
  insert(insertion: Insertion): Promise<Inserted>
  /** the selected text of the focused window; null if nothing is selected */
  copySelection(window: FocusedWindow | null): Promise<string | null>
}

const COPIED_WITHIN_MS = 600
const LOOK_EVERY_MS = 20

export function createInserter({ desktop, clipboard, press, pasteKeys }: InserterOptions): Inserter {
  const modifier = desktop === 'macos' ? 'Meta' : 'Ctrl'

  /** Shift+Insert pastes in every terminal of X11 and Wayland; most of them take the primary selection. */
  const pasteKeysFor = (window: FocusedWindow | null): string[] => {
    if (pasteKeys !== null) return pasteKeys
    return isTerminal(window) && desktop !== 'macos' ? ['Shift', 'Insert'] : [modifier, 'V']
  }

  async function copyOnly(text: string, why: string | null): Promise<Outcome> {
    const isCopied = await clipboard.writeText(text)
    const where = isCopied
      ? 'The text is in the clipboard.'
      : 'The text could not be copied to the clipboard either.'
    return { how: isCopied ? 'copied' : 'none', note: why === null ? null : `${why} ${where}` }
  }

  async function paste({ text, window, saved }: Insertion, onPressed: () => void): Promise<Outcome> {
    const hasPrimary = isTerminal(window) && desktop !== 'macos' && desktop !== 'windows'
    const offered = await clipboard.offer(text, hasPrimary ? ['clipboard', 'primary'] : ['clipboard'])
    if (offered === null)
      return { how: 'none', note: 'The clipboard cannot be written, so nothing was inserted.' }
    const taken = offered.taken()
    if (!(await press(pasteKeysFor(window)))) {
      await clipboard.writeText(text)
      return { how: 'copied', note: 'The paste keys could not be pressed. The text is in the clipboard.' }
    }
    onPressed()
    if ((await taken) === false) {
      await clipboard.writeText(text)
      return { how: 'copied', note: `${nameOf(window)} did not paste. The text is in the clipboard.` }
    }
    if (saved.kind === 'other') await clipboard.writeText(text)
    else await offered.restore(saved)
    return { how: 'pasted', note: lossOf(saved) }
  }

  async function insert(insertion: Insertion, onPressed: () => void): Promise<Outcome> {
    const { text, window, mode } = insertion
    if (mode === 'copy') return copyOnly(text, null)
    if (window !== null && (await hasLostFocus(desktop, window))) {
      const now = nameOf(await focusedWindow(desktop))
      return copyOnly(text, `The focus has moved from ${nameOf(window)} to ${now}, so nothing was inserted.`)
    }
    if (mode === 'paste') return paste(insertion, onPressed)
    return (await typeText(desktop, text))
      ? { how: 'typed', note: null }
      : copyOnly(text, 'The text could not be typed.')
  }

  return {
    async insert(insertion) {
      const { text, window } = insertion
      let pressedAt: number | null = null
      const outcome = await insert(
        { ...insertion, text: isTerminal(window) ? onOneLine(text) : text },
        () => {
          pressedAt = performance.now()
        },
      )
      return { ...outcome, at: pressedAt ?? performance.now() }
    },
    async copySelection(window) {
      // Ctrl+C would interrupt the program in a terminal.
      if (isTerminal(window) && desktop !== 'macos') return clipboard.readText('primary')
      const saved = await clipboard.save()
      const marker = `\u2060${crypto.randomUUID()}`
      if (!(await clipboard.writeText(marker)) || !(await press([modifier, 'C']))) return null
      const until = performance.now() + COPIED_WITHIN_MS
      let found: string | null = marker
      while (found === marker && performance.now() < until) {
        await pause(LOOK_EVERY_MS)
        found = await clipboard.readText()
      }
      await clipboard.write(saved)
      return found === marker ? null : found
    },
  }
}

const nameOf = (window: FocusedWindow | null): string => window?.appName ?? 'the application'

/** A line break would run the line. */
const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim()

const lossOf = (saved: SavedContent): string | null =>
  saved.kind === 'other'
    ? `The clipboard held something that cannot be restored (${saved.types || 'unknown'}). It now holds the text.`
    : null
