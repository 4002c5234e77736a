import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../strings/strings.ts'
import { ChordField } from './chord-field.tsx'
import { isHelpOpen, SHORTCUT_NAMES } from './shortcuts.ts'

export const ShortcutsDialog = () => (isHelpOpen.value ? <OpenDialog /> : null)

const OpenDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const { keys } = strings.value
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="form shortcuts"
      aria-labelledby="shortcuts-title"
      onClose={() => (isHelpOpen.value = false)}
    >
      <div class="stack">
        <h2 id="shortcuts-title">{keys.title}</h2>
        <p class="muted small">{keys.about}</p>
        {SHORTCUT_NAMES.map((name) => (
          <ChordField key={name} name={name} />
        ))}
        {keys.groups.map(({ where, list }) => (
          <section key={where} aria-label={where}>
            <h3>{where}</h3>
            <dl class="keylist">
              {list.map(([pressed, does]) => (
                <div key={pressed}>
                  <dt>
                    <kbd>{pressed}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <div>
          <button type="button" onClick={() => dialog.current?.close()}>
            {keys.close}
          </button>
        </div>
      </div>
    </dialog>
  )
}
