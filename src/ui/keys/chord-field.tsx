// Shows a shortcut and lets the user change it by pressing new keys.

import { useLayoutEffect, useState } from 'preact/hooks'
import { announce } from '../parts/toasts.tsx'
import { filled, strings } from '../strings/strings.ts'
import { type Chord, chordName, chordOf, isTakenChord } from './chord.ts'
import { chooseShortcut, type ShortcutName, shortcuts, shortcutWith, USUAL_CHORDS } from './shortcuts.ts'

export const ChordField = ({ name }: { name: ShortcutName }) => {
  const [isListening, listen] = useState(false)
  const [refusal, refuse] = useState<string | null>(null)
  const { keys } = strings.value
  const chord = shortcuts[name].value
  const what = keys.names[name]

  const choose = (chosen: Chord | null): void => {
    chooseShortcut(name, chosen)
    refuse(null)
    listen(false)
    announce(filled(keys.now, { what, keys: chosen === null ? keys.none : chordName(chosen) }))
  }
  // A layout effect, because a quick user presses the keys before the next frame.
  useLayoutEffect(() => {
    if (!isListening) return
    // Captures the event before any other handler.
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Tab' || event.key === 'Escape') listen(false)
      if (event.key === 'Tab') return
      event.preventDefault()
      event.stopImmediatePropagation()
      // The release of Space would click the button.
      addEventListener('keyup', (released) => released.preventDefault(), { capture: true, once: true })
      const pressed = chordOf(event)
      if (pressed === null || event.key === 'Escape' || event.repeat) return
      const other = shortcutWith(pressed, name)
      if (isTakenChord(pressed)) refuse(filled(keys.taken, { keys: chordName(pressed) }))
      else if (other) refuse(filled(keys.takenBy, { keys: chordName(pressed), what: keys.names[other] }))
      else choose(pressed)
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [isListening])
  return (
    <div class="field">
      <span class="label">{what}</span>
      <div class="row">
        {chord === null ? <span class="muted">{keys.none}</span> : <kbd>{chordName(chord)}</kbd>}
        <button
          type="button"
          class="plain"
          aria-pressed={isListening}
          aria-label={isListening ? undefined : filled(keys.changeOf, { what })}
          onClick={() => {
            refuse(null)
            listen(!isListening)
          }}
          onBlur={() => listen(false)}
        >
          {isListening ? keys.press : keys.change}
        </button>
        {chord !== null && (
          <button
            type="button"
            class="plain"
            aria-label={filled(keys.offOf, { what })}
            onClick={() => choose(null)}
          >
            {keys.off}
          </button>
        )}
        {chord !== USUAL_CHORDS[name] && (
          <button
            type="button"
            class="plain"
            aria-label={filled(keys.usualOf, { what, keys: chordName(USUAL_CHORDS[name]) })}
            onClick={() => choose(USUAL_CHORDS[name])}
          >
            {filled(keys.usual, { keys: chordName(USUAL_CHORDS[name]) })}
          </button>
        )}
      </div>
      <p class="fault small" role="alert">
        {refusal}
      </p>
    </div>
  )
}
