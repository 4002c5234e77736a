// One capture of the list with its actions. Only the active row has its buttons in the Tab order; the others are reached
// by pointer and shortcuts.

import { linkTo } from '../address.ts'
import { clockTime, momentText, percentText, wholeMomentText } from '../parts/formats.ts'
import { Highlighted } from '../parts/highlighted.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { problemText } from '../server/problem-text.ts'
import type { ListedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { isAtWork } from './capture-actions.ts'
import { workProgress } from './capture-list.ts'
import { type RowActions, RowMenu } from './row-menu.tsx'
import { selected, toggleSelected } from './selection.tsx'

type Props = {
  capture: ListedCapture
  /** the search words */
  words: string
  isTrash: boolean
  isActive: boolean
  isPlaying: boolean
  actions: RowActions
  onActive: (id: string) => void
}

/** Characters of text that a row can show. */
const BEGINNING = 280

export const CaptureItem = (props: Props) => {
  const { capture, words, isTrash, isActive, isPlaying, actions, onActive } = props
  const { id, title, starred } = capture
  const text = strings.value.captures
  const shared = { tabIndex: isActive ? 0 : -1, title }
  return (
    <li class={isActive ? 'capturerow active' : 'capturerow'} onFocusIn={() => onActive(id)}>
      <label class="tick">
        <input
          type="checkbox"
          tabIndex={shared.tabIndex}
          checked={selected.value.has(id)}
          aria-label={filled(text.select, { title })}
          onChange={() => toggleSelected(id)}
        />
      </label>
      <a class="open" href={linkTo(['captures', id], { q: words })}>
        <span class="name">{title || text.untitled}</span>
        {starred && <span class="unseen">, {text.starredState}</span>}
        <Body capture={capture} />
        <Facts capture={capture} />
      </a>
      <span class="rowactions">
        {capture.audio_available && (
          <RowButton
            {...shared}
            icon={isPlaying ? 'pause' : 'play'}
            name={isPlaying ? text.pause : text.play}
            onClick={() => actions.play(capture)}
          />
        )}
        <RowButton
          {...shared}
          icon="star"
          isFull={starred}
          isWideOnly
          name={starred ? text.unstar : text.star}
          onClick={() => actions.star(capture)}
        />
        <RowButton
          {...shared}
          icon="copy"
          isWideOnly
          name={text.copy}
          onClick={() => actions.copy(capture)}
        />
        <RowMenu capture={capture} tabIndex={shared.tabIndex} isTrash={isTrash} actions={actions} />
      </span>
    </li>
  )
}

type RowButtonProps = {
  tabIndex: number
  title: string
  icon: IconName
  isFull?: boolean
  isWideOnly?: boolean
  name: string
  onClick: () => void
}

const RowButton = ({
  tabIndex,
  title,
  icon,
  isFull = false,
  isWideOnly = false,
  name,
  onClick,
}: RowButtonProps) => (
  <button
    type="button"
    class={isWideOnly ? 'plain icon wideonly' : 'plain icon'}
    tabIndex={tabIndex}
    title={name}
    aria-label={filled(strings.value.captures.ofCapture, { action: name, title })}
    onClick={onClick}
  >
    <Icon name={icon} isFull={isFull} />
  </button>
)

const Body = ({ capture }: { capture: ListedCapture }) => {
  const { highlight, text: whole, error, status, title, detected_language: language } = capture
  const text = strings.value.captures
  if (highlight !== null && highlight !== '') {
    return (
      <span class="excerpt" lang={language ?? undefined} dir="auto">
        <Highlighted highlight={highlight} />
      </span>
    )
  }
  if (whole !== '') {
    return (
      <span class="excerpt" lang={language ?? undefined} dir="auto">
        {afterTitle(whole, title).slice(0, BEGINNING)}
      </span>
    )
  }
  if (error !== null) return <span class="excerpt fault">{problemText(error)}</span>
  // Any other status is among the facts.
  return status === 'completed' ? <span class="excerpt muted">{text.noSpeech}</span> : null
}

/** Without a title of its own, a capture has its first words as its title; the text then continues after them. */
function afterTitle(whole: string, title: string): string {
  const first = title.replace(/ …$/, '')
  if (first === '' || !whole.startsWith(first)) return whole
  const rest = whole.slice(first.length).trimStart()
  return rest === '' ? '' : `… ${rest}`
}

const Facts = ({ capture }: { capture: ListedCapture }) => {
  const { id, recorded_at: moment, duration_ms: duration, app_name: app, starred, tags, status } = capture
  const text = strings.value.captures
  const progress = workProgress.value.get(id)
  return (
    <span class="dotted rowfacts muted small">
      {starred && (
        <span class="narrowonly" aria-hidden="true">
          ★
        </span>
      )}
      <time dateTime={moment} title={wholeMomentText(moment)}>
        {momentText(moment)}
      </time>
      {duration !== null && <span>{clockTime(duration / 1000)}</span>}
      {app && <span>{app}</span>}
      {status !== 'completed' && (
        <span class={`state ${status}`}>
          {text.statuses[status]}
          {isAtWork(capture) && progress !== undefined && ` ${percentText(progress)}`}
        </span>
      )}
      {tags.length > 0 && (
        <span class="row taglinks">
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </span>
      )}
    </span>
  )
}
