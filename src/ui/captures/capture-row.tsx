// One capture of the list with its actions and downloads. Only the active row has its buttons in the Tab order; the others are
// reached by pointer and shortcuts.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import { clockTime, momentText, percentText, wholeMomentText } from '../parts/formats.ts'
import { Highlighted } from '../parts/highlighted.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import type { ListedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { CAPTURE_FORMATS, exportLink, isAtWork } from './capture-actions.ts'
import { workProgress } from './capture-list.ts'
import { selected, toggleSelected } from './selection.tsx'

type DownloadMenuProps = { capture: ListedCapture; tabIndex: number }

const DownloadMenu = ({ capture, tabIndex }: DownloadMenuProps) => {
  const { id, title, text: words, transcript_refined: refined, audio_available: hasAudio } = capture
  const [isOpen, open] = useState(false)
  const whole = useRef<HTMLSpanElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { capture: named, captures } = strings.value
  // Focus before the next key press.
  useLayoutEffect(() => {
    if (!isOpen) return
    const closeElsewhere = ({ target }: Event) => {
      if (!whole.current?.contains(target as Node)) open(false)
    }
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      open(false)
      opener.current?.focus()
    }
    addEventListener('pointerdown', closeElsewhere)
    addEventListener('focusin', closeElsewhere)
    addEventListener('keydown', closeByKey)
    return () => {
      removeEventListener('pointerdown', closeElsewhere)
      removeEventListener('focusin', closeElsewhere)
      removeEventListener('keydown', closeByKey)
    }
  }, [isOpen])
  if (words === '' && !hasAudio) return null
  return (
    <span ref={whole} class="download">
      <button
        ref={opener}
        type="button"
        class="plain icon"
        tabIndex={tabIndex}
        title={captures.download}
        aria-label={filled(captures.ofCapture, { action: captures.download, title })}
        aria-expanded={isOpen}
        onClick={() => open(!isOpen)}
      >
        <Icon name="download" />
      </button>
      {isOpen && (
        <ul class="plainlist files">
          {words !== '' && refined !== null && <li class="muted small">{named.refinedText}</li>}
          {words !== '' &&
            CAPTURE_FORMATS.map((format) => (
              <li key={format}>
                <DownloadLink href={exportLink(id, format, 'refined')} onClick={() => open(false)}>
                  {named.formats[format]}
                </DownloadLink>
              </li>
            ))}
          {hasAudio && (
            <li>
              <DownloadLink href={`/captures/${id}/audio`} onClick={() => open(false)}>
                {named.downloadAudio}
              </DownloadLink>
            </li>
          )}
        </ul>
      )}
    </span>
  )
}

export type RowActions = {
  play: (capture: ListedCapture) => void
  star: (capture: ListedCapture) => void
  copy: (capture: ListedCapture) => void
  /** into the trash, or out of it */
  move: (capture: ListedCapture) => void
}

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
          name={starred ? text.unstar : text.star}
          onClick={() => actions.star(capture)}
        />
        <RowButton {...shared} icon="copy" name={text.copy} onClick={() => actions.copy(capture)} />
        <DownloadMenu capture={capture} tabIndex={shared.tabIndex} />
        <RowButton
          {...shared}
          icon={isTrash ? 'restore' : 'trash'}
          name={isTrash ? text.restore : text.delete}
          onClick={() => actions.move(capture)}
        />
      </span>
    </li>
  )
}

type RowButtonProps = {
  tabIndex: number
  title: string
  icon: IconName
  isFull?: boolean
  name: string
  onClick: () => void
}

const RowButton = ({ tabIndex, title, icon, isFull = false, name, onClick }: RowButtonProps) => (
  <button
    type="button"
    class="plain icon"
    tabIndex={tabIndex}
    title={name}
    aria-label={filled(strings.value.captures.ofCapture, { action: name, title })}
    onClick={onClick}
  >
    <Icon name={icon} isFull={isFull} />
  </button>
)

const Body = ({ capture }: { capture: ListedCapture }) => {
  const { highlight, text: whole, error, status, detected_language: language } = capture
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
        {whole.slice(0, BEGINNING)}
      </span>
    )
  }
  if (error !== null) return <span class="excerpt fault">{error.message}</span>
  return <span class="excerpt muted">{status === 'completed' ? text.noSpeech : text.statuses[status]}</span>
}

const Facts = ({ capture }: { capture: ListedCapture }) => {
  const { id, recorded_at: moment, duration_ms: duration, app_name: app, status } = capture
  const text = strings.value.captures
  const progress = workProgress.value.get(id)
  return (
    <span class="rowfacts muted small">
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
    </span>
  )
}
