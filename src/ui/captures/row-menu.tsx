// The menu of a row: downloads, and what is needed less often. A popover in the top layer, so that the row keeps its
// height and no container clips the menu.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { DownloadLink } from '../parts/download-link.tsx'
import type { ListedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { CAPTURE_FORMATS, exportLink } from './capture-actions.ts'

type Props = {
  capture: ListedCapture
  tabIndex: number
  isTrash: boolean
  onRetranscribe: () => void
  onMove: () => void
}

export const RowMenu = ({ capture, tabIndex, ...actions }: Props) => {
  const [isOpen, open] = useState(false)
  const whole = useRef<HTMLSpanElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { title } = capture
  const { more, ofCapture } = strings.value.captures
  const close = () => open(false)
  const leave = () => {
    close()
    opener.current?.focus()
  }
  useLayoutEffect(() => {
    if (!isOpen) return
    const closeElsewhere = ({ target }: Event) => {
      if (!(target instanceof Node && whole.current?.contains(target))) close()
    }
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') leave()
    }
    addEventListener('pointerdown', closeElsewhere)
    addEventListener('focusin', closeElsewhere)
    addEventListener('keydown', closeByKey)
    // The menu does not move with the row.
    addEventListener('scroll', closeElsewhere, true)
    return () => {
      removeEventListener('pointerdown', closeElsewhere)
      removeEventListener('focusin', closeElsewhere)
      removeEventListener('keydown', closeByKey)
      removeEventListener('scroll', closeElsewhere, true)
    }
  }, [isOpen])
  return (
    <span ref={whole} class="rowmenu">
      <button
        ref={opener}
        type="button"
        class="plain icon"
        tabIndex={tabIndex}
        title={more}
        aria-label={filled(ofCapture, { action: more, title })}
        aria-expanded={isOpen}
        onClick={() => open(!isOpen)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isOpen && (
        <Panel opener={opener.current!}>
          <Items capture={capture} close={close} leave={leave} {...actions} />
        </Panel>
      )}
    </span>
  )
}

const EDGE = 8

/** Below the opener, or above it if there is no room. */
const Panel = ({ opener, children }: { opener: HTMLElement; children: ComponentChildren }) => {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = panel.current!
    shown.showPopover()
    const button = opener.getBoundingClientRect()
    const { width, height } = shown.getBoundingClientRect()
    const below = button.bottom + EDGE / 2
    const top = below + height > innerHeight - EDGE ? button.top - EDGE / 2 - height : below
    shown.style.left = `${Math.max(EDGE, Math.min(button.right - width, innerWidth - width - EDGE))}px`
    shown.style.top = `${Math.max(EDGE, top)}px`
  }, [])
  return (
    <div ref={panel} popover="manual" class="files">
      {children}
    </div>
  )
}

type ItemsProps = Omit<Props, 'tabIndex'> & {
  close: () => void
  /** closes the menu and returns the focus */
  leave: () => void
}

const Items = ({ capture, isTrash, close, leave, onRetranscribe, onMove }: ItemsProps) => {
  const { id, text: words, transcript_refined: refined, audio_available: hasAudio } = capture
  const { capture: named, captures } = strings.value
  const after = (act: () => void) => () => {
    leave()
    act()
  }
  return (
    <>
      {(words !== '' || hasAudio) && <p class="muted small">{captures.download}</p>}
      <ul class="plainlist">
        {words !== '' &&
          CAPTURE_FORMATS.map((format) => (
            <li key={format}>
              <DownloadLink href={exportLink(id, format, 'refined')} onClick={close}>
                {named.formats[format]}
              </DownloadLink>
            </li>
          ))}
        {hasAudio && (
          <li>
            <DownloadLink href={`/captures/${id}/audio`} onClick={close}>
              {named.downloadAudio}
            </DownloadLink>
          </li>
        )}
      </ul>
      {words !== '' && refined !== null && <p class="muted small">{captures.inRefined}</p>}
      <ul class="plainlist actions">
        {!isTrash && hasAudio && (
          <li>
            <button type="button" class="plain" onClick={after(onRetranscribe)}>
              {captures.retranscribe}
            </button>
          </li>
        )}
        <li>
          <button type="button" class={isTrash ? 'plain' : 'plain danger'} onClick={after(onMove)}>
            {isTrash ? captures.restore : captures.delete}
          </button>
        </li>
      </ul>
    </>
  )
}
