// One paragraph of a transcript: start time, the text of its segments with unsure words marked, and an editor in the
// place of the segment that is being edited.

import { useComputed } from '@preact/signals'
import { Fragment } from 'preact'
import { clockTime, percentText } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import type { ChangedCapture, ShownSegment } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import type { Paragraph, Piece } from './paragraphs.ts'
import { SegmentEditor } from './segment-editor.tsx'
import { isSpaced, isUnsure, type TranscriptState, timedWords } from './timed-words.ts'

type Props = {
  paragraph: Paragraph
  segments: readonly ShownSegment[]
  shared: TranscriptState
  onPlay: (seconds: number) => void
  onSaved: (changed: ChangedCapture) => void
}

export const ParagraphBlock = ({ paragraph, segments, shared, onPlay, onSaved }: Props) => {
  const { start, pieces } = paragraph
  const { capture: text } = strings.value
  const time = clockTime(start)
  return (
    <li class="paragraph">
      <button
        type="button"
        class="plain stamp"
        aria-label={filled(text.playFrom, { time })}
        onClick={() => onPlay(start)}
      >
        {time}
      </button>
      <p class="flow" dir="auto">
        {pieces.map((piece, at) => (
          <Fragment key={piece.segment}>
            {at > 0 && isSpaced(segments[piece.segment - 1]!.text.trimEnd()) && ' '}
            <SegmentPiece piece={piece} segments={segments} shared={shared} onSaved={onSaved} />
          </Fragment>
        ))}
      </p>
      <button
        type="button"
        class="plain icon edit"
        title={text.edit}
        aria-label={filled(text.editAt, { time })}
        onClick={() => {
          const chosen = shared.chosen.value
          const isHere = pieces.some(({ segment }) => segment === chosen?.segment)
          shared.editing.value =
            chosen && isHere
              ? chosen
              : { segment: pieces[0]!.segment, from: pieces[0]!.from, to: pieces[0]!.from }
        }}
      >
        <Icon name="edit" />
      </button>
    </li>
  )
}

type PieceProps = Omit<Props, 'paragraph' | 'onPlay'> & { piece: Piece }

const SegmentPiece = ({ piece, segments, shared, onSaved }: PieceProps) => {
  const segment = segments[piece.segment]!
  const editing = useComputed(() =>
    shared.editing.value?.segment === piece.segment ? shared.editing.value : null,
  )
  return (
    <span class="segment" data-segment={piece.segment} data-from={piece.from}>
      {editing.value === null ? (
        <span class="said" lang={segment.language ?? undefined}>
          <MarkedText segment={segment} piece={piece} />
          {segment.text === '' && <span class="muted">{strings.value.capture.nothingSaid}</span>}
        </span>
      ) : (
        // The whole segment is edited in its first piece.
        piece.from === 0 && (
          <SegmentEditor
            segment={segment}
            shared={shared}
            caret={editing.value}
            isLast={piece.segment === segments.length - 1}
            onSaved={onSaved}
          />
        )
      )}
    </span>
  )
}

/** Wraps unsure words only: a transcript has tens of thousands of words. */
const MarkedText = ({ segment, piece }: { segment: ShownSegment; piece: Piece }) => {
  let at = piece.from
  const parts: preact.ComponentChild[] = []
  for (const word of timedWords([segment]).filter(isUnsure)) {
    if (word.from < piece.from || word.to > piece.to) continue
    parts.push(segment.text.slice(at, word.from))
    parts.push(
      <span key={word.from} class="unsure" title={sureText(word.probability!)}>
        {segment.text.slice(word.from, word.to)}
      </span>,
    )
    at = word.to
  }
  parts.push(segment.text.slice(at, piece.to))
  return <>{parts}</>
}

export const sureText = (probability: number): string =>
  filled(strings.value.capture.sure, { percent: percentText(probability) })
