// The download formats of one capture, as links, so that the browser saves them natively.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { DownloadLink } from '../parts/download-link.tsx'
import { Icon } from '../parts/icon.tsx'
import type { ListedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { CAPTURE_FORMATS, exportLink } from './capture-actions.ts'

type Props = { capture: ListedCapture; tabIndex: number }

export const DownloadMenu = ({ capture, tabIndex }: Props) => {
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
