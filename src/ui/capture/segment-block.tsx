// One segment of a transcript: start time, text with unsure words marked, and an editor.

import { useComputed } from '@preact/signals'
import { clockTime, percentText } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import type { ChangedCapture, ShownSegment } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { SegmentEditor } from './segment-editor.tsx'
import { isUnsure, type TranscriptState, timedWords } from './timed-words.ts'

type Props = {
  segment: ShownSegment
  shared: TranscriptState
  isLast: boolean
  onPlay: (seconds: number) => void
  onSaved: (changed: ChangedCapture) => void
}

export const SegmentBlock = ({ segment, shared, isLast, onPlay, onSaved }: Props) => {
  const { id, start, text: words } = segment
  const editing = useComputed(() => (shared.editing.value?.segment === id ? shared.editing.value : null))
  const { capture: text } = strings.value
  const time = clockTime(start)
  return (
    <li class="segment" data-segment={id}>
      <button
        type="button"
        class="plain stamp"
        aria-label={filled(text.playFrom, { time })}
        onClick={() => onPlay(start)}
      >
        {time}
      </button>
      {editing.value ? (
        <SegmentEditor
          segment={segment}
          shared={shared}
          caret={editing.value}
          isLast={isLast}
          onSaved={onSaved}
        />
      ) : (
        <p class="said" dir="auto" lang={segment.language ?? undefined}>
          <MarkedText segment={segment} />
          {words === '' && <span class="muted">{text.nothingSaid}</span>}
        </p>
      )}
      {!editing.value && (
        <button
          type="button"
          class="plain icon edit"
          title={text.edit}
          aria-label={filled(text.editAt, { time })}
          onClick={() => {
            shared.editing.value = { segment: id, ...(shared.chosen.value ?? { from: 0, to: 0 }) }
          }}
        >
          <Icon name="edit" />
        </button>
      )}
    </li>
  )
}

/** Wraps unsure words only: a transcript has tens of thousands of words. */
const MarkedText = ({ segment }: { segment: ShownSegment }) => {
  let at = 0
  const parts: preact.ComponentChild[] = []
  for (const word of timedWords([segment]).filter(isUnsure)) {
    parts.push(segment.text.slice(at, word.from))
    parts.push(
      <span key={word.from} class="unsure" title={sureText(word.probability!)}>
        {segment.text.slice(word.from, word.to)}
      </span>,
    )
    at = word.to
  }
  parts.push(segment.text.slice(at))
  return <>{parts}</>
}

export const sureText = (probability: number): string =>
  filled(strings.value.capture.sure, { percent: percentText(probability) })
