// The navigation: at the side, as a narrow rail in a window of medium width, and as bars at the top and the bottom of a
// small window. styles/shell.css decides which.

import type { ComponentChildren } from 'preact'
import { address, linkTo } from './address.ts'
import { recentCaptures, useRecentCaptures } from './captures/recent-captures.ts'
import { chordName } from './keys/chord.ts'
import { isHelpOpen, requestSearch, shortcuts } from './keys/shortcuts.ts'
import { clockTime, momentText } from './parts/formats.ts'
import { Icon, type IconName, Mark } from './parts/icons.tsx'
import { Menu } from './parts/menu.tsx'
import { LanguageChoice, ThemeChoice } from './parts/page-choices.tsx'
import { pointer } from './parts/pointer.ts'
import { RecordingNow } from './record/recording-now.tsx'
import { strings } from './strings/strings.ts'
import { VIEWS, type View } from './views.ts'

const NAMED = VIEWS.filter(({ more }) => more === 0)
const DAILY = NAMED.filter(({ group }) => group === 'daily')
const OTHERS = NAMED.filter(({ group }) => group !== 'daily')

export const Navigation = () => {
  const { shell } = strings.value
  const isOther = OTHERS.some(({ word }) => word === address.value.path[0])
  return (
    <header class="side">
      <a class="brand" href={linkTo([])}>
        <Mark />
        <span>{shell.title}</span>
      </a>
      {/* The record view has its own clock and stop button. */}
      {address.value.path.length > 0 && <RecordingNow />}
      <SearchButton />
      <nav aria-label={shell.navigation}>
        <ul>
          {DAILY.map((view) => (
            <ViewLink key={view.word} view={view} />
          ))}
          {OTHERS.map((view, at) => (
            <ViewLink
              key={view.word}
              view={view}
              look={view.group === OTHERS[at - 1]?.group ? 'rare' : 'rare apart'}
            />
          ))}
          <li>
            <Menu label={shell.more} icon="more" hasLabel class={isOther ? 'here' : ''}>
              <MoreItems />
            </Menu>
          </li>
        </ul>
      </nav>
      <Recent />
    </header>
  )
}

type LinkProps = { view: View; look?: string }

const ViewLink = ({ view: { word, name }, look }: LinkProps) => (
  <li class={look}>
    <a
      href={linkTo([word])}
      aria-current={word === (address.value.path[0] ?? '') ? 'page' : undefined}
      data-view={name}
    >
      <Icon name={name as IconName} size={20} />
      <span>{strings.value.views[name]}</span>
    </a>
  </li>
)

const SearchButton = () => {
  const { captures, shell } = strings.value
  const chord = shortcuts.search.value
  return (
    <button type="button" class="find" title={captures.search} onClick={requestSearch}>
      <Icon name="search" />
      <span>{shell.search}</span>
      {chord && <small aria-hidden="true">{chordName(chord)}</small>}
    </button>
  )
}

const MoreItems = () => {
  const { shell, keys } = strings.value
  return (
    <>
      <ul class="plainlist smallonly">
        {OTHERS.map((view) => (
          <ViewLink key={view.word} view={view} />
        ))}
      </ul>
      <ul class="plainlist">
        {pointer.value === 'mouse' && (
          <li>
            <button type="button" onClick={() => (isHelpOpen.value = true)}>
              <Icon name="keyboard" size={20} />
              {keys.title}
            </button>
          </li>
        )}
        <li>
          <a href="/docs">
            <Icon name="api" size={20} />
            {shell.api}
          </a>
        </li>
      </ul>
      <div class="stack choices">
        <ThemeChoice id="more-theme" />
        <LanguageChoice id="more-language" />
      </div>
    </>
  )
}

/** The record view lists them itself. */
const Recent = () => {
  useRecentCaptures()
  const items = recentCaptures.value ?? []
  const [view, id] = address.value.path
  if (view === undefined || items.length === 0) return null
  const { shell, captures } = strings.value
  return (
    <section class="recent" aria-label={shell.recent}>
      <h2>{shell.recent}</h2>
      <ul>
        {items.map((capture) => (
          <RecentLink key={capture.id} id={capture.id} isCurrent={view === 'captures' && id === capture.id}>
            <span class="name">{capture.title || captures.untitled}</span>
            <span class="when">
              {momentText(capture.recorded_at)}
              {capture.duration_ms !== null && ` · ${clockTime(capture.duration_ms / 1000)}`}
            </span>
          </RecentLink>
        ))}
      </ul>
    </section>
  )
}

type RecentLinkProps = { id: string; isCurrent: boolean; children: ComponentChildren }

const RecentLink = ({ id, isCurrent, children }: RecentLinkProps) => (
  <li>
    <a href={linkTo(['captures', id])} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  </li>
)
