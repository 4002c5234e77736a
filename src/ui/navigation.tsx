import { useEffect, useRef } from 'preact/hooks'
import { address, linkTo } from './address.ts'
import { isHelpOpen } from './keys/shortcuts.ts'
import { LanguageChoice, ThemeChoice } from './parts/page-choices.tsx'
import { RecordingNow } from './record/recording-now.tsx'
import { strings } from './strings/strings.ts'
import { VIEWS, type View } from './views.ts'

const NAMED = VIEWS.filter(({ more }) => more === 0)
const DAILY = NAMED.filter(({ isRare }) => !isRare)
const RARE = NAMED.filter(({ isRare }) => isRare)

export const Navigation = () => {
  const { shell } = strings.value
  return (
    <header class="bar">
      <nav aria-label={shell.navigation}>
        <ul>
          {DAILY.map((view) => (
            <li key={view.word}>
              <ViewLink view={view} />
            </li>
          ))}
          <li>
            <More />
          </li>
        </ul>
      </nav>
      <RecordingNow />
    </header>
  )
}

const ViewLink = ({ view: { word, name } }: { view: View }) => {
  const current = address.value.path[0] ?? ''
  return (
    <a href={linkTo([word])} aria-current={word === current ? 'page' : undefined}>
      {strings.value.views[name]}
    </a>
  )
}

/** Closes on a choice, on Esc, and on an action elsewhere. */
const More = () => {
  const { shell, views, keys } = strings.value
  const menu = useRef<HTMLDetailsElement>(null)
  const here = RARE.find(({ word }) => word === address.value.path[0])
  useEffect(() => {
    const close = () => menu.current?.removeAttribute('open')
    const closeFromOutside = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) close()
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return
      const hadFocus = menu.current.contains(document.activeElement)
      close()
      if (hadFocus) menu.current.querySelector('summary')?.focus()
    }
    addEventListener('hashchange', close)
    addEventListener('pointerdown', closeFromOutside)
    addEventListener('focusin', closeFromOutside)
    addEventListener('keydown', closeByKey)
    return () => {
      removeEventListener('hashchange', close)
      removeEventListener('pointerdown', closeFromOutside)
      removeEventListener('focusin', closeFromOutside)
      removeEventListener('keydown', closeByKey)
    }
  }, [])
  return (
    <details ref={menu} class="more">
      <summary class={here && 'here'}>
        {shell.more}
        {here && <span class="where">: {views[here.name]}</span>}
      </summary>
      <div class="morepanel">
        <ul>
          {RARE.map((view) => (
            <li key={view.word}>
              <ViewLink view={view} />
            </li>
          ))}
          <li>
            <a href="/docs">{shell.api}</a>
          </li>
          <li>
            <button type="button" class="plain" onClick={() => (isHelpOpen.value = true)}>
              {keys.title}
            </button>
          </li>
        </ul>
        <div class="choices">
          <ThemeChoice id="more-theme" />
          <LanguageChoice id="more-language" />
        </div>
      </div>
    </details>
  )
}
